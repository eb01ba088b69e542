import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'

describe('system.readiness.read', () => {
  test('answers without a key that the database and Redis are there', async ({ api }) => {
    const response = await fetch(`${api.url}/readyz`)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ status: 'ready', checks: { database: { ok: true }, redis: { ok: true } } })
  })
})
