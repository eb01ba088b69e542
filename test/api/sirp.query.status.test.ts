import { describe, expect } from 'vitest'
import { test, unknownId } from '../support/api.ts'
import { keepQuery, keepStage } from '../support/keptQueries.ts'

const id = 'sirp.query.status'

describe(id, () => {
  test('answers where a query stands', async ({ api, call }) => {
    const queryId = await keepQuery(api.house, { stagesTotal: 4 })
    expect(await call(id, { params: { id: queryId } })).toEqual({ id: queryId, status: 'queued', stages: { total: 4, completed: 0 }, rows: 0, progress: 0 })
  })

  test('counts ended stages and the share of the one that runs', async ({ api, call }) => {
    const queryId = await keepQuery(api.house, { status: 'running', stagesTotal: 4, stagesCompleted: 1, waiting: { domain: 'a.example', since: '2031-01-01T00:00:00.000Z' } })
    await keepStage(api.house, queryId, 0, { commandsTotal: 1, commandsCompleted: 1 })
    await keepStage(api.house, queryId, 1, { status: 'running', commandsTotal: 10, commandsCompleted: 3, commandsFailed: 1, commandsSkipped: 1 })
    expect(await call(id, { params: { id: queryId } })).toMatchObject({ status: 'running', progress: 0.375, waiting: { domain: 'a.example' } })
  })

  test.for<[status: string, completed: number, progress: number]>([
    ['completed', 2, 1],
    ['running', 2, 0.99],
    ['failed', 1, 0.5],
    ['cancelled', 0, 0],
    ['expired', 2, 0.99],
  ])('says of a query that is %s after %i of 2 stages that its progress is %d', async ([status, stagesCompleted, progress], { api, call }) => {
    const queryId = await keepQuery(api.house, { status, stagesTotal: 2, stagesCompleted })
    expect(await call(id, { params: { id: queryId } })).toMatchObject({ status, progress })
  })

  test('says why a query failed', async ({ api, call }) => {
    const error = { code: 'command_failed', detail: 'It did not work.', stage: 0 }
    const queryId = await keepQuery(api.house, { status: 'failed', error })
    expect(await call(id, { params: { id: queryId } })).toMatchObject({ error })
  })

  test('answers not_found for an id that nothing has', async ({ call }) => {
    await expect(call(id, { params: { id: unknownId } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })
})
