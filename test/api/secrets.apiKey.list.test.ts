import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { expectPageBounds, expectPaging } from '../support/expectPaging.ts'
import { generateKey } from '../support/limitedKey.ts'

describe('secrets.apiKey.list', () => {
  test('answers all keys in the order of their creation, page by page, and never a key or its hash', async ({ api, sendAs, call }) => {
    const [first] = (await call('secrets.apiKey.list')).items
    const made = [await generateKey(api, { name: 'b' }), await generateKey(api, { name: 'a', scopes: ['admin'], expiresAt: '2999-01-01T00:00:00Z' }), await generateKey(api, { name: 'c' })]
    const records = made.map(({ key: _, ...record }) => record)
    await expectPaging((query) => sendAs(api.adminKey, 'secrets.apiKey.list', { query }), [first, ...records])

    const text = await (await sendAs(api.adminKey, 'secrets.apiKey.list')).text()
    const rows = await api.house.db.apiKey.findMany()
    for (const { hash } of rows) for (const coding of ['hex', 'base64', 'base64url'] as const) expect(text).not.toContain(Buffer.from(hash).toString(coding))
    const hidden = [...made.map(({ key }) => key), ...rows.map(({ lookup }) => lookup), api.adminKey, 'hash', 'lookup', 'svc_']
    for (const one of hidden) expect(text).not.toContain(one)
  })

  test('refuses pages beyond the bounds and names the parameter', async ({ api, sendAs }) => {
    await expectPageBounds((query) => sendAs(api.adminKey, 'secrets.apiKey.list', { query }))
  })
})
