import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { createStream, type StreamRecord } from '../support/streams.ts'

const id = 'mentos.stream.list'

describe(id, () => {
  test('answers an empty list, then whole records in the order of their creation, page by page', async ({ api, call }) => {
    expect(await call(id)).toEqual({ items: [], total: 0, offset: 0, limit: 100 })
    const records: StreamRecord[] = []
    for (const name of ['c', 'a', 'b']) records.push(await createStream(api, name))
    expect(await call(id)).toEqual({ items: records, total: 3, offset: 0, limit: 100 })
    expect(await call(id, { query: { offset: 2, limit: 1 } })).toEqual({ items: records.slice(2), total: 3, offset: 2, limit: 1 })
  })

  test.for([{ limit: 0 }, { limit: 1001 }, { offset: -1 }, { store: 'a' }])('refuses the query %j and names the parameter', async (query, { api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { query })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ errors: [{ path: `/${Object.keys(query)[0]}`, in: 'query' }] })
  })
})
