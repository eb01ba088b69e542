import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { expectPageBounds, expectPaging } from '../support/expectPaging.ts'
import { createPolicy, type PolicyRecord } from '../support/policies.ts'

describe('gonogo.policy.list', () => {
  test('answers an empty list, then whole records in the order of their creation, page by page', async ({ api, sendAs }) => {
    const list = (query: Readonly<Record<string, string | number>>) => sendAs(api.adminKey, 'gonogo.policy.list', { query })
    expect(await (await list({})).json()).toEqual({ items: [], total: 0, offset: 0, limit: 100 })
    const records: PolicyRecord[] = []
    for (const domain of ['c.example', 'a.example', 'b.example']) records.push(await createPolicy(api, domain))
    await expectPaging(list, records)
  })

  test('refuses pages beyond the bounds and names the parameter', async ({ api, sendAs }) => {
    await expectPageBounds((query) => sendAs(api.adminKey, 'gonogo.policy.list', { query }))
  })
})
