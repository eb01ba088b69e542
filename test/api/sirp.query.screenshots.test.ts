import { describe, expect } from 'vitest'
import { test, unknownId } from '../support/api.ts'
import { keepQuery } from '../support/keptQueries.ts'

const id = 'sirp.query.screenshots'

describe(id, () => {
  test('answers an empty page for a query that took none', async ({ api, call }) => {
    const queryId = await keepQuery(api.house)
    expect(await call(id, { params: { id: queryId } })).toEqual({ items: [], total: 0, offset: 0, limit: 100 })
    expect(await call(id, { params: { id: queryId }, query: { offset: 5, limit: 7 } })).toEqual({ items: [], total: 0, offset: 5, limit: 7 })
  })

  test('answers not_found for an id that nothing has', async ({ call }) => {
    await expect(call(id, { params: { id: unknownId } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })
})
