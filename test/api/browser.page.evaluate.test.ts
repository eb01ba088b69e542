import { describe, expect } from 'vitest'
import { test } from '../support/browserEngine.ts'
import { auditedRuns } from '../support/browserJobs.ts'

describe('browser.page.evaluate', () => {
  test('answers as krull.page.evaluate does, and leaves an audit entry of its own', async ({ api, call, site }) => {
    expect(await call('browser.page.evaluate', { body: { url: `${site.origin}/a`, expression: '() => document.title' } })).toMatchObject({ result: 'Page A' })
    expect(await auditedRuns(api, 'browser.page.evaluate')).toHaveLength(1)
  })
})
