import { describe, expect, inject } from 'vitest'
import { startApi } from '../support/api.ts'
import { test } from '../support/engine.ts'
import { endless, runToEnd } from '../support/dispatched.ts'
import { expectProblem } from '../support/problems.ts'
import { openTcpProxy } from '../support/tcpProxy.ts'

describe('sirp.query.dispatchWait', () => {
  test('answers 200 with the first page of the rows', async ({ api, call, sendAs }) => {
    const response = await sendAs(api.adminKey, 'sirp.query.dispatchWait', { body: { query: 'range 250' } })
    expect(response.status).toBe(200)
    const waited = (await response.json()) as { id: string; results: { content: object }[] }
    expect(waited).toMatchObject({ status: 'completed', total: 250, offset: 0, limit: 100, links: { self: `/v1/sirp/query/${waited.id}` } })
    expect(waited.results).toHaveLength(100)
    expect(waited.results[99]).toEqual({ content: { n: 99 } })
    const all = await call('sirp.query.dispatchWait', { body: { query: 'range 250' }, query: { limit: 1000 } })
    expect([all.results.length, all.limit]).toEqual([250, 1000])
    const one = await call('sirp.query.dispatchWait', { body: { query: 'range 250' }, query: { limit: 1 } })
    expect([one.results.length, one.total]).toEqual([1, 250])
  })

  test.for([0, 1001, 'x'])('refuses the limit %s by a 400', async (limit, { api, sendAs }) => {
    await expectProblem(await sendAs(api.adminKey, 'sirp.query.dispatchWait', { body: { query: 'range 1' }, query: { limit } }), 'validation_failed')
  })

  test('answers 200 also for a query that failed, and says why', async ({ call }) => {
    expect(await call('sirp.query.dispatchWait', { body: { query: 'thaw nothing.ndjson' } })).toMatchObject({
      status: 'failed', total: 0, results: [], error: { code: expect.any(String) as string, detail: expect.stringContaining('nothing.ndjson') as string, stage: 0 },
    })
  })

  test('answers 200 for a query that is cancelled meanwhile', async ({ api, call, sendAs }) => {
    const waiting = sendAs(api.adminKey, 'sirp.query.dispatchWait', { body: { query: `${endless} || addcolumn mark meanwhile` } })
    const started = () => api.house.db.query.findFirst({ where: { query: { contains: 'meanwhile' } } })
    await expect.poll(async () => (await started())?.status, { timeout: 10_000 }).toBe('running')
    await call('sirp.query.cancel', { params: { id: (await started())?.id ?? '' } })
    const answer = await waiting
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ status: 'cancelled', total: 0, results: [] })])
  })

  test('answers 504 with the id when the wait runs out, and the query goes on', async ({ api, call, sendAs }) => {
    const response = await sendAs(api.adminKey, 'sirp.query.dispatchWait', { body: { query: endless }, headers: { Prefer: 'wait=1' } })
    const problem = await expectProblem(response, 'wait_timeout')
    const { id } = problem as unknown as { id: string }
    expect(problem).toMatchObject({ status: 504, id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string })
    expect(['queued', 'running']).toContain((await call('sirp.query.status', { params: { id } })).status)
    await call('sirp.query.cancel', { params: { id } })
  })

  test('goes on when its client goes away', async ({ api, call }) => {
    const leaving = new AbortController()
    const query = 'range 300000 || math m "n * 2" || count || addcolumn mark left'
    const waiting = call('sirp.query.dispatchWait', { body: { query }, signal: leaving.signal }).catch(() => 'left')
    const started = () => api.house.db.query.findFirst({ where: { query } })
    await expect.poll(started, { timeout: 10_000 }).not.toBeNull()
    leaving.abort()
    expect(await waiting).toBe('left')
    await expect.poll(async () => (await started())?.status, { timeout: 15_000 }).toBe('completed')
  })

  test('takes no mode, and points at it', async ({ api, sendAs }) => {
    const problem = await expectProblem(await sendAs(api.adminKey, 'sirp.query.dispatchWait', { body: { query: 'range 1', mode: 'turbo' } }), 'validation_failed')
    expect(problem).toMatchObject({ errors: [expect.objectContaining({ path: '/mode' })] })
  })

  test('refuses a text with faults by a 422 with their places', async ({ api, sendAs }) => {
    const problem = await expectProblem(await sendAs(api.adminKey, 'sirp.query.dispatchWait', { body: { query: 'range' } }), 'query_syntax')
    expect(problem).toMatchObject({ line: 1, column: 1, length: 5 })
  })

  test('starts one query for fifty equal requests with one Idempotency-Key', async ({ api, sendAs }) => {
    const body = { query: 'range 2 || addcolumn mark waitedFor' }
    const answers = await Promise.all(Array.from({ length: 50 }, () => sendAs(api.adminKey, 'sirp.query.dispatchWait', { body, headers: { 'Idempotency-Key': 'waited' } })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1)
    expect(await api.house.db.query.count({ where: { query: body.query } })).toBe(1)
  })

  test('with cleanup keeps only the last rows; with a summary tells of columns and stages', async ({ call }) => {
    const { id, rows } = await runToEnd(call, 'range 10 || filter "n > 3" || sort n --order descending', { cleanup: true, summary: true })
    expect(rows).toHaveLength(6)
    expect((await call('sirp.query.results', { params: { id } })).total).toBe(6)
    await expect(call('sirp.stage.results', { params: { id, stage: '0' } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
    expect((await call('sirp.stage.results', { params: { id, stage: '2' } })).total).toBe(6)
    expect(await call('sirp.query.summary', { params: { id } })).toMatchObject({ columns: [{ column: 'n', type: 'number', filled: 6, distinct: 6, min: 4, max: 9 }], stages: [{ rowsOut: 10 }, { rowsIn: 10, rowsOut: 6 }, { rowsOut: 6 }] })
  })

  test('leaves one entry in the audit log', async ({ api, call }) => {
    const { id } = await runToEnd(call, 'range 1')
    expect(await api.house.db.auditEntry.findMany({ where: { target: id }, select: { operation: true } })).toEqual([{ operation: 'sirp.query.dispatchWait' }])
  })

  test('answers as many rows as fit where they are very wide, and says how many', async ({ call }) => {
    const waited = await call('sirp.query.dispatchWait', { body: { query: `range 40 || addcolumn wide ${'x'.repeat(1_000_000)}` } })
    expect(waited).toMatchObject({ status: 'completed', total: 40, offset: 0, limit: waited.results.length })
    expect(waited.results.length).toBeLessThan(40)
    const { results } = await call('sirp.query.results', { params: { id: waited.id }, query: { offset: waited.limit, limit: 1 } })
    expect(results).toMatchObject([{ content: { n: waited.limit } }])
  })
})

describe('without Redis', () => {
  test('work is refused with 503 and Retry-After, and nothing is stored', async () => {
    const proxy = await openTcpProxy(inject('redisUrl'))
    const api = await startApi({ REDIS_URL: proxy.url })
    const dispatch = () => fetch(`${api.url}/v1/sirp/query/runner/dispatch/wait`, {
      method: 'POST', headers: { 'authorization': `svc ${api.adminKey}`, 'content-type': 'application/json' }, body: JSON.stringify({ query: 'range 1' }),
    })
    proxy.setMood('refuse')
    await expect.poll(() => api.house.redis.status, { timeout: 5_000 }).not.toBe('ready')
    const refused = await dispatch()
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    await expectProblem(refused, 'unavailable')
    expect(await api.house.db.query.count()).toBe(0)
    proxy.setMood('open')
    await expect.poll(() => api.house.redis.status, { timeout: 10_000 }).toBe('ready')
    await api.close()
    await proxy.close()
  })
})
