import { describe, expect } from 'vitest'
import { test, unknownId } from '../support/api.ts'
import { countedRows, keepCommand, keepQuery, keepResults, keepRows, keepStage } from '../support/keptQueries.ts'

const id = 'sirp.query.delete'

describe(id, () => {
  test('answers 204 without a body, and all that belongs to the query is gone', async ({ api, sendAs, call }) => {
    const { house } = api
    const { id: queryId, setId } = await keepResults(house, countedRows(5))
    await keepCommand(house, queryId, 0, 0)
    const sortedId = await keepRows(house, queryId, countedRows(5))
    await house.db.rowOrder.create({ data: { setId, key: 'n', descending: true, sortedId } })
    await house.db.stageCache.create({ data: { key: Buffer.from('a'), setId, rows: 5, expiresAt: new Date('2040-01-01') } })
    const response = await sendAs(api.adminKey, id, { params: { id: queryId } })
    expect(response.status).toBe(204)
    expect(await response.text()).toBe('')
    await expect(call('sirp.query.read', { params: { id: queryId } })).rejects.toMatchObject({ status: 404 })
    const left = await Promise.all([
      house.db.queryStage.count({ where: { queryId } }), house.db.commandRecord.count({ where: { queryId } }), house.db.rowSet.count({ where: { queryId } }),
      house.db.rowChunk.count({ where: { setId: { in: [setId, sortedId] } } }), house.db.rowOrder.count({ where: { setId } }), house.db.stageCache.count({ where: { setId } }),
    ])
    expect(left).toEqual([0, 0, 0, 0, 0, 0])
  })

  test('leaves rows that another query shows, but nobody gets them from the cache any more', async ({ api, call }) => {
    const { house } = api
    const { id: maker, setId } = await keepResults(house, countedRows(5))
    const unshared = await keepRows(house, maker, countedRows(2))
    const user = await keepQuery(house, { status: 'completed', resultSet: setId })
    await house.db.stageCache.create({ data: { key: Buffer.from('b'), setId, rows: 5, expiresAt: new Date('2040-01-01') } })
    await call(id, { params: { id: maker } })
    expect(await call('sirp.query.results', { params: { id: user } })).toMatchObject({ total: 5 })
    expect(await house.db.stageCache.count({ where: { setId } })).toBe(0)
    expect(await house.db.rowSet.count({ where: { id: unshared } })).toBe(0)
  })

  test('leaves rows that a stage of another query shows', async ({ api, call }) => {
    const { id: maker, setId } = await keepResults(api.house, countedRows(5))
    const user = await keepQuery(api.house, { status: 'running', stagesTotal: 1 })
    await keepStage(api.house, user, 0, { rowSet: setId, cached: true })
    await call(id, { params: { id: maker } })
    expect(await call('sirp.stage.results', { params: { id: user, stage: '0' } })).toMatchObject({ total: 5 })
  })

  test('takes a query that runs, too', async ({ api, sendAs }) => {
    const queryId = await keepQuery(api.house, { status: 'running' })
    await keepStage(api.house, queryId, 0, { status: 'running' })
    expect((await sendAs(api.adminKey, id, { params: { id: queryId } })).status).toBe(204)
    expect(await api.house.db.query.count({ where: { id: queryId } })).toBe(0)
  })

  test('is done once when ten requests ask for it at once', async ({ api, sendAs }) => {
    const queryId = await keepQuery(api.house, { status: 'running' })
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await sendAs(api.adminKey, id, { params: { id: queryId } })).status))
    expect(statuses.toSorted()).toEqual([204, ...Array.from({ length: 9 }, () => 404)])
  })

  test('answers not_found for an id that nothing has', async ({ call }) => {
    await expect(call(id, { params: { id: unknownId } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
    await expect(call(id, { params: { id: 'x' } })).rejects.toMatchObject({ status: 400 })
  })
})
