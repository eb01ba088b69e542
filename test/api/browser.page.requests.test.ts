import { describe, expect } from 'vitest'
import { test } from '../support/browserEngine.ts'
import { auditedRuns } from '../support/browserJobs.ts'

describe('browser.page.requests', () => {
  test('answers as krull.page.requests does, and leaves an audit entry of its own', async ({ api, call, site }) => {
    expect(await call('browser.page.requests', { body: { url: `${site.origin}/a` } })).toMatchObject({ total: 1, page: { status: 200 } })
    expect(await auditedRuns(api, 'browser.page.requests')).toHaveLength(1)
  })
})
