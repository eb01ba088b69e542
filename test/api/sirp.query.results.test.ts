import { describe, expect } from 'vitest'
import { test, unknownId } from '../support/api.ts'
import { countedRows, keepQuery, keepResults } from '../support/keptQueries.ts'
import { expectSecurityHeaders } from '../support/problems.ts'

const id = 'sirp.query.results'

describe(id, () => {
  test('answers the first hundred rows, each wrapped, and any other page', async ({ api, call }) => {
    const { id: queryId } = await keepResults(api.house, countedRows(2_500), { sizes: [1_000, 7, 1, 400] })
    const first = await call(id, { params: { id: queryId } })
    expect(first).toMatchObject({ id: queryId, total: 2_500, offset: 0, limit: 100 })
    expect(first.results).toEqual(countedRows(100).map((content) => ({ content })))
    for (const [offset, limit] of [[999, 2], [1_000, 1_000], [1_006, 3], [2_499, 10], [2_500, 10], [Number.MAX_SAFE_INTEGER, 1_000]] as const) {
      const page = await call(id, { params: { id: queryId }, query: { offset, limit, mode: 'rows' } })
      expect(page).toEqual({ id: queryId, total: 2_500, offset, limit, results: countedRows(2_500).slice(offset, offset + limit) })
    }
  })

  test('streams everything as ndjson and csv, or only what the limit allows', async ({ api, sendAs }) => {
    const { id: queryId } = await keepResults(api.house, countedRows(5_300), { sizes: [1_000, 300] })
    const read = async (query: Readonly<Record<string, string | number>>) => (await sendAs(api.adminKey, id, { params: { id: queryId }, query })).text()
    expect((await read({ mode: 'ndjson' })).trimEnd().split('\n')).toEqual(countedRows(5_300).map((row) => JSON.stringify(row)))
    expect((await read({ mode: 'csv' })).trimEnd().split('\r\n')).toEqual(['n', ...countedRows(5_300).map(({ n }) => String(n))])
    expect(await read({ mode: 'ndjson', offset: 5_298 })).toBe('{"n":5298}\n{"n":5299}\n')
    expect(await read({ mode: 'ndjson', offset: 3, limit: 2 })).toBe('{"n":3}\n{"n":4}\n')
    expect(await read({ mode: 'csv', offset: 1_299, limit: 2 })).toBe('n\r\n1299\r\n1300\r\n')
    expect(await read({ mode: 'csv', offset: 5_300 })).toBe('')
  })

  test('names every column of any row in the header, in the order of their first appearance, and disarms formulas', async ({ api, sendAs }) => {
    const rows = [{ a: '=1+1', b: null }, { b: true, c: 'x,"y"' }, JSON.parse('{"__proto__": 5, "a": "-7"}') as Record<string, number>]
    const { id: queryId } = await keepResults(api.house, rows)
    const csv = await sendAs(api.adminKey, id, { params: { id: queryId }, query: { mode: 'csv' } })
    expect(csv.headers.get('content-type')).toMatch(/^text\/csv/)
    expect(csv.headers.get('content-disposition')).toBe(`attachment; filename="query-${queryId}.csv"`)
    expectSecurityHeaders((name) => csv.headers.get(name))
    expect(await csv.text()).toBe(`a,b,c,__proto__\r\n'=1+1,,,\r\n,true,"x,""y""",\r\n-7,,,5\r\n`)
    const ndjson = await sendAs(api.adminKey, id, { params: { id: queryId }, query: { mode: 'ndjson' } })
    expect(ndjson.headers.get('content-type')).toMatch(/^application\/x-ndjson/)
    expect(await ndjson.text()).toBe(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  })

  test('sorts like the command sort before the page is taken', async ({ api, call, sendAs }) => {
    const { id: queryId } = await keepResults(api.house, [{ v: '10' }, { v: null }, { v: 9 }, { v: '2' }, {}, { v: 10, second: true }])
    const sorted = async (query: Readonly<Record<string, string | boolean | number>>) =>
      (await call(id, { params: { id: queryId }, query: { mode: 'rows', ...query } })).results.map((row) => ('v' in row ? row['v'] : 'none'))
    expect(await sorted({ sort: true, sortKey: 'v' })).toEqual(['2', 9, '10', 10, null, 'none'])
    expect(await sorted({ sortKey: 'v', sortOrder: 'desc' })).toEqual(['10', 10, 9, '2', null, 'none'])
    expect(await sorted({ sortKey: 'v', sortOrder: 'descending', offset: 2, limit: 2 })).toEqual([9, '2'])
    expect(await sorted({ sort: false, sortKey: 'v' })).toEqual(['10', null, 9, '2', 'none', 10])
    expect(await sorted({ sortKey: 'nothing' })).toEqual(['10', null, 9, '2', 'none', 10])
    const csv = await sendAs(api.adminKey, id, { params: { id: queryId }, query: { mode: 'csv', sortKey: 'v', offset: 1 } })
    expect(await csv.text()).toBe('v,second\r\n9,\r\n10,\r\n10,true\r\n,\r\n,\r\n')
  })

  test('refuses to sort by nothing, and what it does not know', async ({ api, sendAs }) => {
    const { id: queryId } = await keepResults(api.house, [])
    const bad = [[{ sort: true }, '/sortKey'], [{ sortKey: '' }, '/sortKey'], [{ sortOrder: 'up' }, '/sortOrder'], [{ mode: 'xml' }, '/mode'], [{ limit: 1_001 }, '/limit'], [{ sort: 'maybe' }, '/sort']] as const
    for (const [query, path] of bad) {
      const response = await sendAs(api.adminKey, id, { params: { id: queryId }, query })
      expect(await response.json()).toMatchObject({ status: 400, errors: [{ path, in: 'query' }] })
    }
  })

  test('answers an empty page for a query without rows', async ({ api, call, sendAs }) => {
    const { id: queryId } = await keepResults(api.house, [])
    expect(await call(id, { params: { id: queryId } })).toEqual({ id: queryId, total: 0, offset: 0, limit: 100, results: [] })
    for (const mode of ['csv', 'ndjson']) {
      const response = await sendAs(api.adminKey, id, { params: { id: queryId }, query: { mode } })
      expect([response.status, await response.text()]).toEqual([200, ''])
    }
  })

  test.for(['queued', 'running', 'failed', 'cancelled', 'expired'])('answers 409 with the state while the query is %s', async (status, { api, sendAs }) => {
    const { id: queryId } = await keepResults(api.house, [{ n: 1 }], { status, resultSet: null })
    const response = await sendAs(api.adminKey, id, { params: { id: queryId } })
    expect(await response.json()).toMatchObject({ status: 409, code: 'conflict', state: status, detail: expect.stringContaining(status) as string })
  })

  test('answers not_found for an id that nothing has, and nothing where no row was made', async ({ api, call }) => {
    await expect(call(id, { params: { id: unknownId } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
    const queryId = await keepQuery(api.house, { status: 'completed', resultSet: null })
    expect(await call(id, { params: { id: queryId } })).toMatchObject({ total: 0, results: [] })
  })

  test.for(['content', 'rows'] as const)('answers a page that is too large for one text, in mode %s', async (mode, { api, call }) => {
    const rows = Array.from({ length: 24 }, (_, n) => ({ n, wide: 'x'.repeat(2 ** 20) }))
    const { id: queryId } = await keepResults(api.house, rows, { sizes: [1] })
    const { results, ...page } = await call('sirp.query.results', { params: { id: queryId }, query: { mode, offset: 1, limit: 22 } })
    expect(page).toEqual({ id: queryId, total: 24, offset: 1, limit: 22 })
    expect(results).toEqual(rows.slice(1, 23).map((content) => (mode === 'rows' ? content : { content })))
  })
})
