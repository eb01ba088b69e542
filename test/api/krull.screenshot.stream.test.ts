import { describe, expect } from 'vitest'
import { test } from '../support/browserEngine.ts'
import { expectProblem } from '../support/problems.ts'

describe('krull.screenshot.stream', () => {
  test('answers the image itself', async ({ api, sendAs, site }) => {
    const query = { url: `${site.origin}/square`, selector: '#square', quality: 50, device: 'Desktop' }
    const response = await sendAs(api.adminKey, 'krull.screenshot.stream', { query })
    const bytes = Buffer.from(await response.arrayBuffer())
    expect([response.status, response.headers.get('content-type'), bytes.subarray(0, 3).toString('hex')]).toEqual([200, 'image/jpeg', 'ffd8ff'])
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('answers problems as problems', async ({ api, sendAs, site }) => {
    await expectProblem(await sendAs(api.adminKey, 'krull.screenshot.stream', { query: { url: site.origin, selector: '.none' } }), 'selector_not_found')
    await expectProblem(await sendAs(api.adminKey, 'krull.screenshot.stream', { query: { url: site.origin, device: 'Typewriter' } }), 'unprocessable')
    await expectProblem(await sendAs(api.adminKey, 'krull.screenshot.stream', { query: { url: 'ftp://a.example' } }), 'validation_failed')
  })
})
