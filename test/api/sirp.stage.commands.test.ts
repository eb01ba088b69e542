import { describe, expect } from 'vitest'
import { test, unknownId } from '../support/api.ts'
import { keepCommand, keepQuery } from '../support/keptQueries.ts'

const id = 'sirp.stage.commands'

describe(id, () => {
  test('answers the commands of one stage, found by number or label', async ({ api, call }) => {
    const queryId = await keepQuery(api.house, { query: 'range 3 || limit 2 --labelStage few', stagesTotal: 2 })
    await keepCommand(api.house, queryId, 0, 0)
    for (const index of [2, 0, 1]) await keepCommand(api.house, queryId, 1, index, { command: 'limit' })
    const read = async (stage: string, query = {}) => {
      const page = await call(id, { params: { id: queryId, stage }, query })
      return [page.total, ...page.items.map((command) => `${command.stage}-${command.index}`)]
    }
    expect(await read('0')).toEqual([1, '0-0'])
    expect(await read('few')).toEqual([3, '1-0', '1-1', '1-2'])
    expect(await read('1', { offset: 1, limit: 1 })).toEqual([3, '1-1'])
  })

  test('answers not_found for a stage or a query that there is not', async ({ api, call }) => {
    const queryId = await keepQuery(api.house)
    await expect(call(id, { params: { id: queryId, stage: '7' } })).rejects.toMatchObject({ status: 404 })
    await expect(call(id, { params: { id: unknownId, stage: '0' } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })
})
