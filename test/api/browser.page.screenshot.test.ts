import { describe, expect } from 'vitest'
import { test } from '../support/browserEngine.ts'
import { auditedRuns } from '../support/browserJobs.ts'

describe('browser.page.screenshot', () => {
  test('answers as krull.page.screenshot does, and leaves an audit entry of its own', async ({ api, call, site }) => {
    expect(await call('browser.page.screenshot', { body: { url: `${site.origin}/square`, selector: '#square', device: 'Desktop' } })).toMatchObject({ screenshot: { type: 'jpeg', width: 40, height: 30 } })
    expect(await auditedRuns(api, 'browser.page.screenshot')).toHaveLength(1)
  })
})
