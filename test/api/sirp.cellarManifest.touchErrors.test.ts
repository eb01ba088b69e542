import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { addManifest } from '../support/manifests.ts'
import { describeTouch } from '../support/manifestTouch.ts'

const id = 'sirp.cellarManifest.touchErrors'

describe(id, () => {
  test('answers the record with one more error and its time, and changes nothing else', async ({ api, call }) => {
    const before = await addManifest(api, 'failing')
    await call(id, { params: { name: 'failing' } })
    const startedAt = Date.now()
    const after = await call(id, { params: { name: 'failing' } })
    expect(after).toEqual({ ...before, errors: { count: 2, touchedAt: expect.any(String) }, updatedAt: expect.any(String), version: 3 })
    expect(Date.parse(after.errors.touchedAt ?? '')).toBeGreaterThanOrEqual(startedAt)
    expect(await call('sirp.cellarManifest.read', { params: { name: 'failing' } })).toEqual(after)
  })

  test('counts every one of fifty touches at once', async ({ api, call }) => {
    await addManifest(api, 'contended')
    const touched = await Promise.all(Array.from({ length: 50 }, () => call(id, { params: { name: 'contended' } })))
    expect(new Set(touched.map(({ errors }) => errors.count)).size).toBe(50)
    expect(await call('sirp.cellarManifest.read', { params: { name: 'contended' } })).toMatchObject({ errors: { count: 50 }, version: 51 })
  })

  describeTouch(id, 'errors/touch')
})
