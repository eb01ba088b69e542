import { describe, expect } from 'vitest'
import { endless, runToEnd, start } from '../../support/dispatched.ts'
import { test } from '../../support/engine.ts'
import { openTarget as openServer } from '../../support/httpTarget.ts'

const past = `now() - interval '1 second'`

describe('a query beyond its minutes', () => {
  test('expires in the midst of a pass', async ({ api, call }) => {
    const id = await start(call, endless)
    await expect.poll(async () => (await call('sirp.query.status', { params: { id } })).status, { timeout: 10_000 }).toBe('running')
    await api.house.pool.query(`UPDATE queries SET deadline_at = ${past} WHERE id = $1`, [id])
    await expect.poll(async () => (await call('sirp.query.status', { params: { id } })).status, { timeout: 10_000 }).toBe('expired')
    expect(await call('sirp.query.read', { params: { id } })).toMatchObject({ status: 'expired', error: { code: 'deadline_exceeded' }, finishedAt: expect.any(String) as string })
    await expect(call('sirp.query.cancel', { params: { id } })).rejects.toMatchObject({ status: 409, problem: { state: 'expired' } })
  })

  test('expires in the midst of a request, and closes it', async ({ api, call }) => {
    let closed = false
    const server = await openServer((request) => void request.socket.once('close', () => (closed = true)))
    const id = await start(call, `api get ${server.origin}`)
    await expect.poll(() => server.seen.length, { timeout: 10_000 }).toBe(1)
    await api.house.pool.query(`UPDATE queries SET deadline_at = ${past} WHERE id = $1`, [id])
    await expect.poll(async () => (await call('sirp.query.status', { params: { id } })).error?.code, { timeout: 10_000 }).toBe('deadline_exceeded')
    await expect.poll(() => closed, { timeout: 5_000 }).toBe(true)
    await server.close()
  })

  test('has no deadline where its minutes are 0', async ({ api, call }) => {
    const { id } = await runToEnd(call, 'range 1', { minutes: 0 })
    expect((await api.house.pool.query('SELECT deadline_at FROM queries WHERE id = $1', [id])).rows).toEqual([{ deadline_at: null }])
  })
})

describe('a query whose time to live has passed', () => {
  test('is gone, with all that belongs to it', async ({ api, call }) => {
    const { id } = await runToEnd(call, 'range 3 --cache false', { ttl: 1 })
    const kept = await runToEnd(call, 'range 3 --cache false', { ttl: 0 })
    await expect.poll(() => call('sirp.query.read', { params: { id } }).then(() => 'there', () => 'gone'), { timeout: 15_000 }).toBe('gone')
    expect(await api.house.db.queryStage.count({ where: { queryId: id } })).toBe(0)
    expect((await call('sirp.query.read', { params: { id: kept.id } })).expiresAt).toBeNull()
  })
})

describe('a query that keeps only its last rows', () => {
  test.for([{ mode: 'turbo' as const }, { cleanup: true }])('by %j has the rows of its last stage, and the counts of all', async (options, { call }) => {
    const headers = { Prefer: 'wait=10' }
    const { id } = await call('sirp.query.dispatch', { body: { query: 'range 20 --cache false || filter "n > 9" || freeze x.ndjson || head 3', ...options }, headers })
    expect((await call('sirp.query.results', { params: { id } })).total).toBe(3)
    expect((await call('sirp.stage.results', { params: { id, stage: '3' } })).total).toBe(3)
    for (const stage of ['0', '1', '2']) await expect(call('sirp.stage.results', { params: { id, stage } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
    expect((await call('sirp.stage.list', { params: { id } })).items.map(({ rowsOut }) => rowsOut)).toEqual([20, 10, 10, 3])
  })
})
