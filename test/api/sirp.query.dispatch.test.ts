import { describe, expect } from 'vitest'
import { createClient } from '../../src/client/index.ts'
import { startApi } from '../support/api.ts'
import { test } from '../support/engine.ts'
import { endless } from '../support/dispatched.ts'
import { expectProblem } from '../support/problems.ts'

describe('sirp.query.dispatch', () => {
  test('answers 202 with the id, the state and where to read it', async ({ api, call, sendAs }) => {
    const response = await sendAs(api.adminKey, 'sirp.query.dispatch', { body: { query: 'range 3' } })
    expect(response.status).toBe(202)
    const started = (await response.json()) as { id: string }
    expect(started).toMatchObject({ id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string, status: 'queued', createdAt: expect.any(String) as string, links: { self: `/v1/sirp/query/${started.id}` } })
    expect(response.headers.get('location')).toBe(`/v1/sirp/query/${started.id}`)
    await expect.poll(async () => (await call('sirp.query.status', { params: { id: started.id } })).status, { timeout: 10_000 }).toBe('completed')
    expect(await call('sirp.query.results', { params: { id: started.id } })).toMatchObject({ total: 3, results: [{ content: { n: 0 } }, { content: { n: 1 } }, { content: { n: 2 } }] })
  })

  test('keeps what it was given, metadata untouched', async ({ call }) => {
    const metadata = { 'z': 1, 'a': [null, { deep: '$x$ || "' }], '10': true, 'é': '\u2028' }
    const given = { query: 'range 1', mode: 'turbo' as const, cleanup: true, summary: true, minutes: 5, ttl: 3_600, metadata }
    const { id } = await call('sirp.query.dispatch', { body: given, headers: { Prefer: 'wait=10' } })
    const record = await call('sirp.query.read', { params: { id } })
    expect(record).toMatchObject({ ...given, status: 'completed', stages: { total: 1, completed: 1 }, rows: 1 })
    expect(JSON.stringify(record.metadata)).toBe(JSON.stringify(metadata))
    expect(Date.parse(record.expiresAt ?? '') - Date.parse(record.finishedAt ?? '')).toBe(3_600_000)
  })

  test('has usual minutes and time to live; a time to live of 0 ends never', async ({ call }) => {
    const headers = { Prefer: 'wait=10' }
    const usual = await call('sirp.query.dispatch', { body: { query: 'range 1' }, headers })
    expect(await call('sirp.query.read', { params: { id: usual.id } })).toMatchObject({ minutes: 60, ttl: 86_400, mode: 'comprehensive', cleanup: false, summary: false, metadata: {} })
    const kept = await call('sirp.query.dispatch', { body: { query: 'range 1', ttl: 0 }, headers })
    expect(await call('sirp.query.read', { params: { id: kept.id } })).toMatchObject({ ttl: 0, expiresAt: null })
  })

  test('with Prefer: wait answers 200 with the rows once the query has ended, also where it failed', async ({ api, sendAs }) => {
    const held = await sendAs(api.adminKey, 'sirp.query.dispatch', { body: { query: 'range 3' }, headers: { Prefer: 'wait=10' } })
    expect(held.status).toBe(200)
    expect(await held.json()).toMatchObject({ status: 'completed', total: 3, results: [{ content: { n: 0 } }, { content: { n: 1 } }, { content: { n: 2 } }] })
    const failed = await sendAs(api.adminKey, 'sirp.query.dispatch', { body: { query: 'thaw nothing.ndjson' }, headers: { Prefer: 'wait=10' } })
    expect(failed.status).toBe(200)
    expect(await failed.json()).toMatchObject({ status: 'failed', total: 0, results: [], error: { stage: 0, code: expect.any(String) as string } })
  })

  test('with Prefer: wait answers 202 when the time is over', async ({ api, call, sendAs }) => {
    const response = await sendAs(api.adminKey, 'sirp.query.dispatch', { body: { query: endless }, headers: { Prefer: 'wait=1' } })
    expect(response.status).toBe(202)
    const { id, status } = (await response.json()) as { id: string; status: string }
    expect(['queued', 'running']).toContain(status)
    expect(response.headers.get('location')).toBe(`/v1/sirp/query/${id}`)
    await call('sirp.query.cancel', { params: { id } })
  })

  test('refuses a text with faults by a 422 with their places, and stores nothing', async ({ api, sendAs }) => {
    const before = await api.house.db.query.count()
    const problem = await expectProblem(await sendAs(api.adminKey, 'sirp.query.dispatch', { body: { query: 'range 3\n|| limt 2' } }), 'query_syntax')
    expect(problem).toMatchObject({ status: 422, line: 2, column: 4, length: 4, hint: 'did you mean limit?', errors: [{ path: '/query', line: 2, column: 4 }] })
    await expectProblem(await sendAs(api.adminKey, 'sirp.query.dispatch', { body: { query: 'api get http://a.example --bearer "$CREDENTIALS.none$"' } }), 'query_syntax')
    expect(await api.house.db.query.count()).toBe(before)
  })

  test.for([
    [{}, '/query'],
    [{ query: 3 }, '/query'],
    [{ query: '' }, '/query'],
    [{ query: 'range 1', mode: 'fast' }, '/mode'],
    [{ query: 'range 1', ttl: -1 }, '/ttl'],
    [{ query: 'range 1', ttl: 315_360_001 }, '/ttl'],
    [{ query: 'range 1', minutes: 1.5 }, '/minutes'],
    [{ query: 'range 1', metadata: [] }, '/metadata'],
    [{ query: 'range 1', surprise: 1 }, '/surprise'],
  ] as const)('refuses the body %j by a 400 that points at %s', async ([body, path], { api, sendAs }) => {
    const problem = await expectProblem(await sendAs(api.adminKey, 'sirp.query.dispatch', { body }), 'validation_failed')
    expect(problem).toMatchObject({ errors: [expect.objectContaining({ path })] })
  })

  test('starts one query for fifty equal requests with one Idempotency-Key, and refuses another body', async ({ api, sendAs }) => {
    const body = { query: 'range 1 || addcolumn mark fifty' }
    const headers = { 'Idempotency-Key': 'fifty' }
    const answers = await Promise.all(Array.from({ length: 50 }, () => sendAs(api.adminKey, 'sirp.query.dispatch', { body, headers })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1)
    expect(await api.house.db.query.count({ where: { query: body.query } })).toBe(1)
    await expectProblem(await sendAs(api.adminKey, 'sirp.query.dispatch', { body: { query: 'range 2' }, headers }), 'idempotency_mismatch')
  })

  test('leaves one entry in the audit log', async ({ api, call }) => {
    const { id } = await call('sirp.query.dispatch', { body: { query: 'range 1' } })
    expect(await api.house.db.auditEntry.findMany({ where: { target: id }, select: { operation: true, outcome: true } })).toEqual([{ operation: 'sirp.query.dispatch', outcome: 'done' }])
  })
})

describe('sirp.query.dispatch beyond the caps', () => {
  test.for([
    ['MAX_QUEUED_PER_KEY', 'too_many_requests'],
    ['MAX_QUEUED', 'overloaded'],
  ] as const)('of %s is refused with %s and Retry-After, with no write', async ([setting, code]) => {
    await using api = disposable(await startApi({ [setting]: '2' }))
    const call = createClient({ baseUrl: api.url, apiKey: api.adminKey })
    const first = await call('sirp.query.dispatch', { body: { query: 'range 1' } })
    await call('sirp.query.dispatch', { body: { query: 'range 1' } })
    const refused = await fetch(`${api.url}/v1/sirp/query/runner/dispatch`, {
      method: 'POST', headers: { 'authorization': `svc ${api.adminKey}`, 'content-type': 'application/json' }, body: JSON.stringify({ query: 'range 1' }),
    })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    await expectProblem(refused, code)
    expect([await api.house.db.query.count(), await api.house.db.auditEntry.count({ where: { operation: 'sirp.query.dispatch' } })]).toEqual([2, 2])
    await call('sirp.query.cancel', { params: { id: first.id } })
    await expect.poll(() => call('sirp.query.dispatch', { body: { query: 'range 1' } }).then(() => 'taken', () => 'refused'), { timeout: 5_000 }).toBe('taken')
  })
})

const disposable = <Api extends { close(): Promise<void> }>(api: Api): Api & AsyncDisposable => ({ ...api, [Symbol.asyncDispose]: () => api.close() })
