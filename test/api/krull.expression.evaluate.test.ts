import { describe, expect } from 'vitest'
import { test } from '../support/browserEngine.ts'
import { auditedRuns, endedJob } from '../support/browserJobs.ts'
import { expectProblem } from '../support/problems.ts'

describe('krull.expression.evaluate', () => {
  test('answers the value of an expression with its arguments and libraries', async ({ api, call }) => {
    expect(await call('krull.expression.evaluate', { body: { expression: '(a, b) => a + b', args: [1, 2] } })).toEqual({ result: 3, attempts: 1 })
    const body = { expression: '(n, { _, mathjs }) => [_.chunk([1, 2, 3], 2), mathjs.sqrt(n)]', args: [16], lodash: true, mathjs: true }
    expect(await call('krull.expression.evaluate', { body })).toMatchObject({ result: [[[1, 2], [3]], 4] })
    expect(await auditedRuns(api, 'krull.expression.evaluate')).toEqual([expect.objectContaining({ outcome: 'done' }), expect.objectContaining({ outcome: 'done' })])
  })

  test('answers an expression that throws by a 422 with its message and stack only', async ({ api, sendAs }) => {
    const problem = await expectProblem(await sendAs(api.adminKey, 'krull.expression.evaluate', { body: { expression: '() => { throw new Error("too bad") }' } }), 'expression_failed')
    expect(problem).toMatchObject({ detail: expect.stringContaining('too bad') as string, message: 'Error: too bad' })
    expect(String(problem['stack'])).not.toMatch(/node_modules|workers/)
  })

  test.for(['() => {', 'a b', ')('])('refuses %s, which is no JavaScript, by a 422 that names the field', async (expression, { api, sendAs }) => {
    const problem = await expectProblem(await sendAs(api.adminKey, 'krull.expression.evaluate', { body: { expression } }), 'expression_failed')
    expect(problem.errors).toEqual([expect.objectContaining({ path: '/expression' })])
  })

  test('has no network', async ({ api, sendAs, site }) => {
    await sendAs(api.adminKey, 'krull.expression.evaluate', { body: { expression: `() => fetch('${site.origin}/from-nowhere')` } })
    expect(site.seen).toEqual([])
  })

  test('answers 202 with the job where that is preferred, and the job holds the answer in the end', async ({ api, sendAs }) => {
    const response = await sendAs(api.adminKey, 'krull.expression.evaluate', { body: { expression: '6 * 7' }, headers: { Prefer: 'respond-async' } })
    const accepted = (await response.json()) as { id: string }
    const location = response.headers.get('location') ?? ''
    expect([response.status, location]).toEqual([202, `/v1/jobs/browser/${accepted.id}`])
    expect(accepted).toMatchObject({ status: expect.any(String) as string, operation: 'krull.expression.evaluate' })
    expect(await endedJob(api, location)).toMatchObject({ id: accepted.id, queue: 'browser', state: 'completed', attempts: 1, result: { result: 42, attempts: 1 } })
  })

  test('keeps the problem of a job that nobody waited for', async ({ api, sendAs }) => {
    const response = await sendAs(api.adminKey, 'krull.expression.evaluate', { body: { expression: '() => nothing.there' }, headers: { Prefer: 'respond-async' } })
    expect(await endedJob(api, response.headers.get('location') ?? '')).toMatchObject({ state: 'failed', error: { code: 'expression_failed' } })
  })

  test('starts one job for equal requests with one Idempotency-Key', async ({ api, call }) => {
    const headers = { 'Idempotency-Key': 'dice' }
    const answers = await Promise.all(Array.from({ length: 5 }, () => call('krull.expression.evaluate', { body: { expression: 'Math.random()' }, headers })))
    expect(new Set(answers.map(({ result }) => result)).size).toBe(1)
    expect(await api.house.db.browserJob.count({ where: { operation: 'krull.expression.evaluate' } })).toBeGreaterThan(0)
  })

  test('holds nothing readable of what was asked and answered', async ({ api, call }) => {
    await call('krull.expression.evaluate', { body: { expression: '"hush-" + "hush-4711"' } })
    const { rows } = await api.house.pool.query<{ text: string }>('SELECT browser_jobs::text AS text FROM browser_jobs')
    expect(rows.map(({ text }) => text).join('')).not.toMatch(/hush/)
  })
})
