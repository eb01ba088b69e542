import { describe, expect } from 'vitest'
import { test, unknownId } from '../support/api.ts'
import { countedRows, keepQuery, keepResults, keepRows, keepStage } from '../support/keptQueries.ts'

const id = 'sirp.stage.results'

describe(id, () => {
  test('answers the rows of a stage that has ended, like the results of the query', async ({ api, call, sendAs }) => {
    const { id: queryId } = await keepResults(api.house, countedRows(3))
    const params = { id: queryId, stage: '0' }
    expect(await call(id, { params })).toEqual({ id: queryId, stage: 0, total: 3, offset: 0, limit: 100, results: countedRows(3).map((content) => ({ content })) })
    expect(await call(id, { params, query: { mode: 'rows', offset: 1, limit: 1 } })).toEqual({ id: queryId, stage: 0, total: 3, offset: 1, limit: 1, results: [{ n: 1 }] })
    const csv = await sendAs(api.adminKey, id, { params, query: { mode: 'csv', sortKey: 'n', sortOrder: 'desc' } })
    expect(csv.headers.get('content-disposition')).toBe(`attachment; filename="query-${queryId}-stage-0.csv"`)
    expect(await csv.text()).toBe('n\r\n2\r\n1\r\n0\r\n')
  })

  test('answers what a running stage has made so far, in the order of its input', async ({ api, call, sendAs }) => {
    const queryId = await keepQuery(api.house, { query: 'range 3', status: 'running' })
    const setId = await keepRows(api.house, queryId, countedRows(4_321), { sizes: [1, 1_000, 13], complete: false })
    await keepStage(api.house, queryId, 0, { status: 'running', rowSet: setId })
    const params = { id: queryId, stage: '0' }
    for (const [offset, limit] of [[0, 1_000], [1, 1], [1_000, 30], [4_300, 100], [4_321, 5]] as const) {
      const page = await call(id, { params, query: { mode: 'rows', offset, limit } })
      expect(page).toMatchObject({ total: 4_321, results: countedRows(4_321).slice(offset, offset + limit) })
    }
    const ndjson = await sendAs(api.adminKey, id, { params, query: { mode: 'ndjson', offset: 7 } })
    expect((await ndjson.text()).trimEnd().split('\n')).toEqual(countedRows(4_321).slice(7).map((row) => JSON.stringify(row)))
    expect(await call(id, { params, query: { sortKey: 'n', sortOrder: 'desc', limit: 1 } })).toMatchObject({ total: 4_321, results: [{ content: { n: 4_320 } }] })
  })

  test('answers an empty page for a stage that has not begun', async ({ api, call }) => {
    const queryId = await keepQuery(api.house, { query: 'range 3 || limit 2', stagesTotal: 2 })
    expect(await call(id, { params: { id: queryId, stage: '1' } })).toEqual({ id: queryId, stage: 1, total: 0, offset: 0, limit: 100, results: [] })
  })

  test.for([
    [{ mode: 'turbo' }, 'turbo mode'],
    [{ cleanup: true }, 'cleanup'],
    [{}, 'not kept any more'],
  ] as const)('answers not_found with the reason for rows that are not kept: %j', async ([given, reason], { api, call }) => {
    const queryId = await keepQuery(api.house, { query: 'range 3 || limit 2', stagesTotal: 2, stagesCompleted: 2, status: 'completed', ...given })
    const setId = await keepRows(api.house, queryId, countedRows(2))
    await api.house.db.query.update({ where: { id: queryId }, data: { resultSet: setId } })
    await keepStage(api.house, queryId, 0)
    await keepStage(api.house, queryId, 1, { command: 'limit', kind: 'map' })
    await expect(call(id, { params: { id: queryId, stage: '0' } })).rejects.toMatchObject({ status: 404, message: expect.stringContaining(reason) as string })
    expect(await call(id, { params: { id: queryId, stage: '1' } })).toMatchObject({ total: 2 })
  })

  test('answers not_found for a stage or a query that there is not', async ({ api, call }) => {
    const queryId = await keepQuery(api.house)
    await expect(call(id, { params: { id: queryId, stage: 'none' } })).rejects.toMatchObject({ status: 404 })
    await expect(call(id, { params: { id: unknownId, stage: '0' } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })
})
