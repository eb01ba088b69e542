import { describe, expect } from 'vitest'
import type { Schedule } from '../../src/contract/sirp/schedules.ts'
import { test } from '../support/api.ts'
import { createSchedule } from '../support/schedules.ts'

const id = 'sirp.schedule.list'

describe(id, () => {
  test('answers an empty list, then whole records in the order of their creation, page by page', async ({ api, call }) => {
    expect(await call(id)).toEqual({ items: [], total: 0, offset: 0, limit: 100 })
    const records: Schedule[] = []
    for (const queryId of ['c', 'a', 'b']) records.push(await createSchedule(api, { queryId }))
    const inOrder = records.toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt) || (a.id < b.id ? -1 : 1))
    expect(await call(id)).toEqual({ items: inOrder, total: 3, offset: 0, limit: 100 })
    expect(await call(id, { query: { offset: 1, limit: 1 } })).toEqual({ items: inOrder.slice(1, 2), total: 3, offset: 1, limit: 1 })
  })

  test.for([{ limit: 0 }, { limit: 1001 }, { offset: -1 }, { enabled: true }])('refuses the query %j and names the parameter', async (query, { api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { query })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ errors: [{ path: `/${Object.keys(query)[0]}`, in: 'query' }] })
  })
})
