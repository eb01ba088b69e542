import { describe, expect } from 'vitest'
import { test, unknownId } from '../support/api.ts'
import { keepQuery } from '../support/keptQueries.ts'

const id = 'sirp.query.summary'

describe(id, () => {
  test('answers the summary that was computed', async ({ api, call }) => {
    const column = { column: 'n', type: 'number', filled: 3, distinct: 3, min: 0, max: 2, mean: 1, frequent: [{ value: 0, count: 1 }] }
    const stage = { stage: 0, command: 'range', rowsIn: 0, rowsOut: 3, ms: 1.5, jobs: 1, retries: 0, bytes: 20, cacheHits: 0 }
    const summaryResult = { rows: 3, columns: [column], stages: [stage] }
    const queryId = await keepQuery(api.house, { status: 'completed', summary: true, summaryResult })
    expect(await call(id, { params: { id: queryId } })).toEqual({ id: queryId, ...summaryResult })
  })

  test('answers not_found where none was asked for, and for an id that nothing has', async ({ api, call }) => {
    const queryId = await keepQuery(api.house, { status: 'completed' })
    await expect(call(id, { params: { id: queryId } })).rejects.toMatchObject({ status: 404, message: expect.stringContaining('without summary') as string })
    await expect(call(id, { params: { id: unknownId } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })

  test.for(['queued', 'running', 'completed', 'failed', 'cancelled'])('answers 409 while the query is %s and has none', async (status, { api, call }) => {
    const queryId = await keepQuery(api.house, { status, summary: true })
    await expect(call(id, { params: { id: queryId } })).rejects.toMatchObject({ status: 409, code: 'conflict', message: expect.stringContaining(status) as string })
  })
})
