import { describe, expect } from 'vitest'
import { mask } from '../../src/contract/schemas.ts'
import { test } from '../support/api.ts'

const id = 'secrets.secret.list'

describe(id, () => {
  test('answers masked records in the order of their creation, by type and page by page', async ({ call }) => {
    expect(await call(id)).toEqual({ items: [], total: 0, offset: 0, limit: 100 })
    const first = await call('secrets.secret.create', { body: { name: 'b', secret: 'hidden-value' } })
    const second = await call('secrets.secret.create', { body: { name: 'a', type: 'store', secret: 'hidden-value' } })
    const third = await call('secrets.secret.create', { body: { name: 'a' } })
    const all = await call(id)
    expect(all).toEqual({ items: [first, second, third], total: 3, offset: 0, limit: 100 })
    expect(all.items.map(({ secret }) => secret)).toEqual([mask, mask, undefined])
    expect(await call(id, { query: { type: 'custom', offset: 1, limit: 5 } })).toEqual({ items: [third], total: 2, offset: 1, limit: 5 })
    expect(await call(id, { query: { type: 'prompt' } })).toMatchObject({ items: [], total: 0 })
  })

  test.for([{ type: 'nonsense' }, { type: '' }, { name: 'a' }, { limit: 1001 }])('refuses the query %j and names the parameter', async (query, { api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { query })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ errors: [{ path: `/${Object.keys(query)[0]}`, in: 'query' }] })
  })
})
