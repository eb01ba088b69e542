import { describe, expect } from 'vitest'
import { test, unknownId } from '../support/api.ts'
import { keepQuery } from '../support/keptQueries.ts'

const id = 'sirp.query.summaryStatus'
const error = { code: 'command_failed', detail: 'No.', stage: 0 }

describe(id, () => {
  test.for([
    [{ status: 'completed' }, { status: 'none' }],
    [{ status: 'running', summary: true }, { status: 'pending' }],
    [{ status: 'completed', summary: true, summaryResult: { rows: 0, columns: [], stages: [] } }, { status: 'completed' }],
    [{ status: 'failed', summary: true, error }, { status: 'failed', error }],
    [{ status: 'cancelled', summary: true }, { status: 'failed' }],
  ] as const)('answers of a query %j that %j', async ([given, answer], { api, call }) => {
    const { summaryResult, ...rest } = { summaryResult: undefined, ...given }
    const queryId = await keepQuery(api.house, { ...rest, ...(summaryResult === undefined ? {} : { summaryResult: { rows: 0, columns: [], stages: [] } }) })
    expect(await call(id, { params: { id: queryId } })).toEqual({ id: queryId, ...answer })
  })

  test('answers not_found for an id that nothing has', async ({ call }) => {
    await expect(call(id, { params: { id: unknownId } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })
})
