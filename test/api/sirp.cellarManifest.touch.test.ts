import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { addManifest } from '../support/manifests.ts'
import { describeTouch } from '../support/manifestTouch.ts'

const id = 'sirp.cellarManifest.touch'

describe(id, () => {
  test('answers the record with the time of the touch, and changes nothing else', async ({ api, call }) => {
    const before = await addManifest(api, 'touched')
    const startedAt = Date.now()
    const after = await call(id, { params: { name: 'touched' } })
    expect(after).toEqual({ ...before, touchedAt: expect.any(String), updatedAt: expect.any(String), version: 2 })
    expect(Date.parse(after.touchedAt ?? '')).toBeGreaterThanOrEqual(startedAt)
    expect(await call('sirp.cellarManifest.read', { params: { name: 'touched' } })).toEqual(after)
  })

  describeTouch(id, 'touch')
})
