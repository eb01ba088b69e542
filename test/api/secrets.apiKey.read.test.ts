import { describe, expect } from 'vitest'
import { test, unknownId } from '../support/api.ts'
import { generateKey } from '../support/limitedKey.ts'
import { badIds } from '../support/policies.ts'
import { expectProblem } from '../support/problems.ts'

describe('secrets.apiKey.read', () => {
  test('answers the record without the key', async ({ api, sendAs }) => {
    const { key, ...record } = await generateKey(api, { name: 'ci', scopes: ['queries:*'], expiresAt: '2999-01-01T00:00:00Z' })
    const response = await sendAs(api.adminKey, 'secrets.apiKey.read', { params: { id: record.id } })
    const text = await response.text()
    expect(response.status).toBe(200)
    expect(JSON.parse(text)).toEqual(record)
    expect(text).not.toContain(key)
  })

  test('answers not_found for an id that nothing has', async ({ api, sendAs }) => {
    const { detail } = await expectProblem(await sendAs(api.adminKey, 'secrets.apiKey.read', { params: { id: unknownId } }), 'not_found')
    expect(detail).toContain(unknownId)
  })

  test.for([...badIds, 'verify'])('refuses %j as an id', async (id, { api, sendAs }) => {
    const { errors } = await expectProblem(await sendAs(api.adminKey, 'secrets.apiKey.read', { params: { id } }), 'validation_failed')
    expect(errors).toMatchObject([{ path: '/id', in: 'path' }])
  })
})
