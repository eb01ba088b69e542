import { createHash } from 'node:crypto'
import { describe, expect } from 'vitest'
import { test } from '../support/browserEngine.ts'
import { expectProblem } from '../support/problems.ts'

describe('krull.page.screenshot', () => {
  test('stores the picture of the first element that matches', async ({ api, call, sendAs, site }) => {
    const { screenshot } = await call('krull.page.screenshot', { body: { url: `${site.origin}/square`, selector: '#square', type: 'png', device: 'Desktop' } })
    expect(screenshot).toMatchObject({ type: 'png', width: 40, height: 30, url: `/v1/screenshot/${screenshot.hash}` })
    const image = await sendAs(api.adminKey, 'screenshot.image.read', { params: { hash: screenshot.hash } })
    expect(createHash('sha256').update(Buffer.from(await image.arrayBuffer())).digest('hex')).toBe(screenshot.hash)
  })

  test('clips a page that is too long, and stays within the bounds', async ({ call, site }) => {
    const { screenshot } = await call('krull.page.screenshot', { body: { url: `${site.origin}/tall`, device: 'Desktop' } })
    expect(screenshot.height).toBeLessThanOrEqual(16_384)
  })

  test('answers a selector that matches nothing by a 422', async ({ api, sendAs, site }) => {
    await expectProblem(await sendAs(api.adminKey, 'krull.page.screenshot', { body: { url: site.origin, selector: '.none' } }), 'selector_not_found')
  })
})
