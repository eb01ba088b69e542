import { describe, expect } from 'vitest'
import { test } from '../support/browserEngine.ts'

describe('krull.page.requests', () => {
  test('answers every request that the page makes', async ({ call, site }) => {
    const answer = await call('krull.page.requests', { body: { url: `${site.origin}/`, responseText: true } })
    expect(answer).toMatchObject({
      total: 2,
      page: { status: 200, title: 'Shop' },
      requests: [
        { url: `${site.origin}/`, method: 'GET', type: 'document', status: 200, mimeType: 'text/html', responseText: expect.stringContaining('Hello') as string },
        { url: `${site.origin}/pixel.png`, type: 'image', status: 404 },
      ],
    })
    expect(answer).not.toHaveProperty('cookieStorage')
  })

  test('captures cookies and storages where that is asked for', async ({ call, site }) => {
    expect(await call('krull.page.requests', { body: { url: `${site.origin}/cookie`, session: true } })).toMatchObject({
      cookieStorage: { made: { value: 'here' } }, localStorage: { kept: 'yes' }, sessionStorage: { brief: 'no' },
    })
  })
})
