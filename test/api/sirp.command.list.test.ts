import { describe, expect } from 'vitest'
import { test, unknownId } from '../support/api.ts'
import { expectPageBounds, expectPaging } from '../support/expectPaging.ts'
import { keepCommand, keepQuery } from '../support/keptQueries.ts'

const id = 'sirp.command.list'

describe(id, () => {
  test('answers the commands of all stages in the order of stages and input rows, page by page', async ({ api, sendAs }) => {
    const queryId = await keepQuery(api.house, { query: 'range 3 || limit 2', stagesTotal: 2 })
    const error = { code: 'target_failed', detail: 'It is away.' }
    const screenshot = 'a'.repeat(64)
    await keepCommand(api.house, queryId, 1, 10, { command: 'open', args: ['http://a.example'], flags: { credentials: { oauth: '********' } }, screenshot, bytes: 5_000_000_000 })
    await keepCommand(api.house, queryId, 1, 9, { command: 'open', status: 'failed', error, attempts: 3, rows: 0, warnings: ['the column a is missing'] })
    await keepCommand(api.house, queryId, 0, 0)
    const usual = { args: [3], flags: {}, status: 'completed', attempts: 1, rows: 3, bytes: 20, ms: 1.5, cached: false, warnings: [] }
    const items = [
      { ...usual, id: `${queryId}-0-0`, stage: 0, index: 0, command: 'range' },
      { ...usual, id: `${queryId}-1-9`, stage: 1, index: 9, command: 'open', status: 'failed', error, attempts: 3, rows: 0, warnings: ['the column a is missing'] },
      { ...usual, id: `${queryId}-1-10`, stage: 1, index: 10, command: 'open', args: ['http://a.example'], flags: { credentials: { oauth: '********' } }, screenshot, bytes: 5_000_000_000 },
    ]
    const send = (page: Readonly<Record<string, string | number>>) => sendAs(api.adminKey, id, { params: { id: queryId }, query: page })
    await expectPaging(send, items)
    await expectPageBounds(send)
  })

  test('masks secrets that stand in the text of the query', async ({ api, call }) => {
    const queryId = await keepQuery(api.house)
    const flags = { bearer: 'hush', headers: { 'Authorization': 'Basic hush', 'x-api-key': 'hush', 'Accept': 'text/html' }, proxy: 'http://me:hush@proxy.example:1', retry: 1 }
    await keepCommand(api.house, queryId, 0, 0, { command: 'api', flags })
    await keepCommand(api.house, queryId, 0, 1, { command: 'soap', flags: { 'security.basic': 'me:hush', 'security.bearer': 'hush' } })
    const { items } = await call(id, { params: { id: queryId } })
    const hidden = '********'
    expect(items.map((item) => item.flags)).toEqual([
      { bearer: hidden, headers: { 'Authorization': hidden, 'x-api-key': hidden, 'Accept': 'text/html' }, proxy: `http://${hidden}@proxy.example:1`, retry: 1 },
      { 'security.basic': hidden, 'security.bearer': hidden },
    ])
  })

  test('answers not_found for an id that nothing has', async ({ call }) => {
    await expect(call(id, { params: { id: unknownId } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })
})
