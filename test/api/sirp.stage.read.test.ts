import { describe, expect } from 'vitest'
import { test, unknownId } from '../support/api.ts'
import { keepQuery, keepStage } from '../support/keptQueries.ts'

const id = 'sirp.stage.read'

describe(id, () => {
  test('finds a stage by its number and by its label; labels go first', async ({ api, call }) => {
    const queryId = await keepQuery(api.house, { query: 'range 3 || limit 2 --labelStage "the rest" || head 1 --labelStage 0', stagesTotal: 3, status: 'running' })
    await keepStage(api.house, queryId, 0)
    const read = async (stage: string) => (await call(id, { params: { id: queryId, stage } })).stage
    expect(await read('1')).toBe(1)
    expect(await read('the rest')).toBe(1)
    expect(await read('0')).toBe(2)
    expect(await read('2')).toBe(2)
    expect(await call(id, { params: { id: queryId, stage: '1' } })).toMatchObject({ stage: 1, label: 'the rest', command: 'limit', kind: 'map', status: 'queued' })
  })

  test('answers not_found for a stage or a query that there is not, and says which there are', async ({ api, call }) => {
    const queryId = await keepQuery(api.house, { query: 'range 3 || limit 2', stagesTotal: 2 })
    for (const stage of ['2', '-1', 'nothing', '1.0', '99999999999', 'constructor']) {
      await expect(call(id, { params: { id: queryId, stage } })).rejects.toMatchObject({ status: 404, message: expect.stringContaining('stages 0 to 1') as string })
    }
    await expect(call(id, { params: { id: unknownId, stage: '0' } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })
})
