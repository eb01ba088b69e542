import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'

describe('system.health.read', () => {
  test('answers without a key that the process lives', async ({ api }) => {
    const response = await fetch(`${api.url}/healthz`)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ status: 'ok' })
  })
})
