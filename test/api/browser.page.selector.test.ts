import { describe, expect } from 'vitest'
import { test } from '../support/browserEngine.ts'
import { auditedRuns } from '../support/browserJobs.ts'

describe('browser.page.selector', () => {
  test('answers as krull.page.selector does, and leaves an audit entry of its own', async ({ api, call, site }) => {
    expect(await call('browser.page.selector', { body: { url: `${site.origin}/a`, selector: 'p' } })).toMatchObject({ total: 1, elements: [{ innerText: 'one' }] })
    expect(await auditedRuns(api, 'browser.page.selector')).toHaveLength(1)
  })
})
