import { describe, expect, vi } from 'vitest'
import { send } from '../../src/client/index.ts'
import { wake } from '../../src/services/sirp/engine/wakes.ts'
import { test, unknownId, type RunningApi } from '../support/api.ts'
import { keepQuery, keepStage } from '../support/keptQueries.ts'
import { readEvents, type ServerEvent } from '../support/serverEvents.ts'

const id = 'sirp.query.events'

const follow = async (api: RunningApi, queryId: string, signal?: AbortSignal) =>
  readEvents(await send({ baseUrl: api.url, apiKey: api.adminKey }, id, { params: { id: queryId }, ...(signal ? { signal } : {}) }))

const next = async (events: AsyncGenerator<ServerEvent>): Promise<ServerEvent | undefined> => (await events.next()).value as ServerEvent | undefined

const change = async ({ house }: RunningApi, queryId: string, data: Parameters<typeof house.db.query.update>[0]['data']): Promise<void> => {
  await house.db.query.update({ where: { id: queryId }, data })
  wake(house, queryId)
}

describe(id, () => {
  test.for(['completed', 'failed', 'cancelled', 'expired'])('answers status and done at once for a query that is %s', async (status, { api, call, sendAs }) => {
    const queryId = await keepQuery(api.house, { status })
    const response = await sendAs(api.adminKey, id, { params: { id: queryId } })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/event-stream/)])
    const data = JSON.stringify(await call('sirp.query.status', { params: { id: queryId } }))
    expect(await response.text()).toBe(`retry: 2000\n\nid: 1\nevent: status\ndata: ${data}\n\nid: 2\nevent: done\ndata: ${data}\n\n`)
  })

  test('tells of each stage, of progress, and of the end', async ({ api }) => {
    const queryId = await keepQuery(api.house, { stagesTotal: 2, query: 'range 3 || limit 2' })
    const events = await follow(api, queryId)
    expect(await next(events)).toMatchObject({ id: '1', event: 'status', data: { id: queryId, status: 'queued', progress: 0 } })
    await keepStage(api.house, queryId, 0, { status: 'running' })
    await change(api, queryId, { status: 'running' })
    expect(await next(events)).toMatchObject({ id: '2', event: 'stage', data: { stage: 0, command: 'range', status: 'running' } })
    expect(await next(events)).toMatchObject({ id: '3', event: 'status', data: { status: 'running' } })
    expect(await next(events)).toMatchObject({ id: '4', event: 'progress', data: { status: 'running' } })
    await change(api, queryId, { rows: 7 })
    expect(await next(events)).toMatchObject({ id: '5', event: 'progress', data: { rows: 7 } })
    await api.house.db.queryStage.updateMany({ where: { queryId }, data: { status: 'completed' } })
    await change(api, queryId, { status: 'completed', stagesCompleted: 2 })
    expect(await next(events)).toMatchObject({ id: '6', event: 'stage', data: { stage: 0, status: 'completed' } })
    expect(await next(events)).toMatchObject({ id: '7', event: 'done', data: { status: 'completed', progress: 1 } })
    expect(await next(events)).toBeUndefined()
  })

  test('sees a change also when no word of it comes', async ({ api }) => {
    const queryId = await keepQuery(api.house)
    const events = await follow(api, queryId)
    await next(events)
    await api.house.db.query.update({ where: { id: queryId }, data: { status: 'cancelled' } })
    expect(await next(events)).toMatchObject({ event: 'done', data: { status: 'cancelled' } })
  })

  test('reads a query once a change, however many follow it', async ({ api }) => {
    const queryId = await keepQuery(api.house, { status: 'running' })
    const all = await Promise.all(Array.from({ length: 20 }, () => follow(api, queryId)))
    for (const events of all) expect(await next(events)).toMatchObject({ event: 'status' })
    const reads = vi.spyOn(api.house.pool, 'query')
    await change(api, queryId, { status: 'completed' })
    for (const events of all) expect(await next(events)).toMatchObject({ event: 'done', data: { status: 'completed' } })
    const ofStatus = reads.mock.calls.filter(([query]) => (query as { name?: string }).name === 'query-status')
    reads.mockRestore()
    expect(ofStatus.length).toBeLessThan(10)
  })

  test('lets a client go and serves the others; ends when the query is deleted', async ({ api, call }) => {
    const queryId = await keepQuery(api.house, { status: 'running' })
    const leaving = new AbortController()
    const [left, stays] = [await follow(api, queryId, leaving.signal), await follow(api, queryId)]
    await next(left)
    await next(stays)
    leaving.abort()
    await expect(next(left)).rejects.toThrow(/abort/i)
    await change(api, queryId, { rows: 1 })
    expect(await next(stays)).toMatchObject({ event: 'progress', data: { rows: 1 } })
    await call('sirp.query.delete', { params: { id: queryId } })
    const last = await next(stays)
    if (last) expect(last).toMatchObject({ event: 'done', data: { status: 'cancelled' } })
    expect(await next(stays)).toBeUndefined()
  })

  test('answers not_found for an id that nothing has', async ({ call }) => {
    await expect(call(id, { params: { id: unknownId } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })
})
