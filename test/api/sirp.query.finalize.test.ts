import { describe, expect } from 'vitest'
import { startApi, unknownId } from '../support/api.ts'
import { createClient } from '../../src/client/index.ts'
import { test } from '../support/engine.ts'
import { runToEnd, start } from '../support/dispatched.ts'
import { openTarget } from '../support/httpTarget.ts'

describe('sirp.query.finalize', () => {
  test('completes a query with the rows that its running stage has made so far, in their order', async ({ call }) => {
    const target = await openTarget((request, response) => {
      if (request.url !== '/2') response.setHeader('content-type', 'application/json').end(JSON.stringify({ path: request.url }))
    })
    const { id } = await call('sirp.query.dispatch', { body: { query: `range 4 || api get ${target.origin}/$n$ || count`, summary: true } })
    await expect.poll(async () => (await call('sirp.stage.read', { params: { id, stage: '1' } })).commands.completed, { timeout: 10_000 }).toBe(3)
    expect(await call('sirp.query.finalize', { params: { id } })).toMatchObject({ id, status: 'completed', rows: 3, stages: { total: 3, completed: 2 } })
    expect((await call('sirp.query.results', { params: { id } })).results).toEqual(['/0', '/1', '/3'].map((path) => ({ content: { path } })))
    expect((await call('sirp.stage.list', { params: { id } })).items).toMatchObject([{ status: 'completed' }, { status: 'completed', rowsOut: 3 }, { status: 'skipped' }])
    expect(await call('sirp.stage.results', { params: { id, stage: '2' } })).toMatchObject({ total: 0, results: [] })
    expect(await call('sirp.query.summaryStatus', { params: { id } })).toEqual({ id, status: 'failed' })
    await expect(call('sirp.query.summary', { params: { id } })).rejects.toMatchObject({ status: 409, code: 'conflict', problem: { state: 'completed' } })
    await target.close()
  })

  test('completes a query that nobody has begun without rows', async () => {
    const api = await startApi()
    const call = createClient({ baseUrl: api.url, apiKey: api.adminKey })
    const id = await start(call, 'range 3')
    expect(await call('sirp.query.finalize', { params: { id } })).toMatchObject({ status: 'completed', rows: 0 })
    await api.close()
  })

  test('is a 409 for a query that has ended, and a 404 for one that is not there', async ({ call }) => {
    const { id } = await runToEnd(call, 'range 1')
    await expect(call('sirp.query.finalize', { params: { id } })).rejects.toMatchObject({ status: 409, code: 'conflict', problem: { state: 'completed' } })
    await expect(call('sirp.query.finalize', { params: { id: unknownId } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })
})
