import { describe, expect } from 'vitest'
import { startApi, unknownId } from '../support/api.ts'
import { createClient, type Call } from '../../src/client/index.ts'
import { test, type RunningEngine } from '../support/engine.ts'
import { endless, runToEnd, start } from '../support/dispatched.ts'
import { openTarget } from '../support/httpTarget.ts'

const stateOf = async (call: Call, id: string): Promise<string> => (await call('sirp.query.status', { params: { id } })).status

/** All that is stored of a query. */
async function traces({ house }: RunningEngine, queryId: string): Promise<unknown> {
  const { rows } = await house.pool.query(
    `SELECT (SELECT count(*) FROM row_chunks JOIN row_sets ON row_sets.id = set_id WHERE query_id = $1) AS chunks,
      (SELECT coalesce(sum(rows_out), 0) FROM query_stages WHERE query_id = $1) AS rows, (SELECT coalesce(sum(count), 0) FROM command_records WHERE query_id = $1) AS commands,
      (SELECT count(*) FROM query_units WHERE query_id = $1) AS units, (SELECT row_to_json(queries) FROM queries WHERE id = $1) AS query`,
    [queryId],
  )
  return rows[0]
}

describe('sirp.query.cancel', () => {
  test('ends a query that waits at once; a second cancel is a 409 that names the state', async () => {
    const api = await startApi() // no worker, so that it waits
    const call = createClient({ baseUrl: api.url, apiKey: api.adminKey })
    const id = await start(call, 'range 1')
    expect(await call('sirp.query.cancel', { params: { id } })).toMatchObject({ id, status: 'cancelled', rows: 0 })
    await expect(call('sirp.query.cancel', { params: { id } })).rejects.toMatchObject({ status: 409, code: 'conflict', message: expect.stringContaining('cancelled') as string, problem: { state: 'cancelled' } })
    await api.close()
  })

  test('ends a running pass, and nothing is written afterwards', async ({ api, call }) => {
    const id = await start(call, 'range 100000000 || math m "n * 2" || count')
    await expect.poll(async () => (await call('sirp.stage.list', { params: { id } })).items[0]?.status, { timeout: 10_000 }).toBe('running')
    expect((await call('sirp.query.cancel', { params: { id } })).status).toBe('cancelled')
    const before = await traces(api, id)
    // Another query runs from its start to its end meanwhile: a worker that went on would have written something.
    await runToEnd(call, 'range 200000 || math m "n * 3" || count')
    expect(await traces(api, id)).toEqual(before)
    expect((await call('sirp.stage.list', { params: { id } })).items[0]).toMatchObject({ status: 'cancelled' })
    await expect(call('sirp.query.results', { params: { id } })).rejects.toMatchObject({ status: 409, problem: { state: 'cancelled' } })
  })

  test('ends a query in the middle of a slow request, whose connection is closed', async ({ api, call }) => {
    let closed = false
    const target = await openTarget((request) => void request.socket.once('close', () => (closed = true)))
    const id = await start(call, `range 3 || api get ${target.origin}/$n$`)
    await expect.poll(() => target.seen.length, { timeout: 10_000 }).toBeGreaterThan(0)
    await call('sirp.query.cancel', { params: { id } })
    await expect.poll(() => closed, { timeout: 5_000 }).toBe(true)
    const before = await traces(api, id)
    await runToEnd(call, 'range 3')
    expect(await traces(api, id)).toEqual(before)
    expect(before).toMatchObject({ units: '0' })
    await target.close()
  })

  test('is a 409 for a query that has ended, and a 404 for one that is not there', async ({ call }) => {
    const { id } = await runToEnd(call, 'range 1')
    await expect(call('sirp.query.cancel', { params: { id } })).rejects.toMatchObject({ status: 409, code: 'conflict', problem: { state: 'completed' } })
    expect(await stateOf(call, id)).toBe('completed')
    await expect(call('sirp.query.cancel', { params: { id: unknownId } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })

  test('of many at once ends each of them', async ({ call }) => {
    const ids = await Promise.all(Array.from({ length: 10 }, () => start(call, endless)))
    await Promise.all(ids.map((id) => call('sirp.query.cancel', { params: { id } })))
    for (const id of ids) expect(await stateOf(call, id)).toBe('cancelled')
    expect((await runToEnd(call, 'range 2')).total).toBe(2)
  })
})
