import { describe, expect } from 'vitest'
import { storeImage } from '../../src/services/screenshot/store.ts'
import { test } from '../support/api.ts'
import { generateKey } from '../support/limitedKey.ts'
import { expectProblem } from '../support/problems.ts'

const hash = 'ab'.repeat(32)
const image = { hash, type: 'png', width: 2, height: 1, bytes: Buffer.from('89504e470d0a1a0a', 'hex') } as const

describe('screenshot.image.read', () => {
  test('answers the image itself, which may be kept for ever and runs nothing', async ({ api, sendAs }) => {
    await storeImage(api.house, image)
    const response = await sendAs(api.adminKey, 'screenshot.image.read', { params: { hash: hash.toUpperCase() } })
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(image.bytes)
    expect(Object.fromEntries(['content-type', 'etag', 'x-content-type-options', 'content-disposition'].map((name) => [name, response.headers.get(name)]))).toEqual({
      'content-type': 'image/png', etag: `"${hash}"`, 'x-content-type-options': 'nosniff', 'content-disposition': `inline; filename="${hash}.png"`,
    })
    expect(response.headers.get('cache-control')).toContain('immutable')
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
  })

  test('answers a key that may only run browsers, whose answers name pictures by their hashes', async ({ api, sendAs }) => {
    await storeImage(api.house, image)
    const { key } = await generateKey(api, { scopes: ['browser:run'] })
    expect((await sendAs(key, 'screenshot.image.read', { params: { hash } })).status).toBe(200)
  })

  test('answers 304 to one who has it', async ({ api, sendAs }) => {
    await storeImage(api.house, image)
    const response = await sendAs(api.adminKey, 'screenshot.image.read', { params: { hash }, headers: { 'If-None-Match': `"${hash}"` } })
    expect([response.status, await response.text()]).toEqual([304, ''])
  })

  test('answers an unknown hash by a 404, and what is none by a 400', async ({ api, sendAs }) => {
    await expectProblem(await sendAs(api.adminKey, 'screenshot.image.read', { params: { hash: 'cd'.repeat(32) } }), 'not_found')
    await expectProblem(await sendAs(api.adminKey, 'screenshot.image.read', { params: { hash: 'x'.repeat(64) } }), 'validation_failed')
    await expectProblem(await sendAs(api.adminKey, 'screenshot.image.read', { params: { hash: 'ab' } }), 'validation_failed')
  })
})
