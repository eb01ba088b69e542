import { describe, expect } from 'vitest'
import { test } from '../support/browserEngine.ts'
import { auditedRuns } from '../support/browserJobs.ts'

describe('browser.page.form', () => {
  test('answers as krull.page.form does, and leaves an audit entry of its own', async ({ api, call, site }) => {
    expect(await call('browser.page.form', { body: { url: `${site.origin}/form`, selectorValuePairs: [['#user', 'ada']], submitSelector: '#go' } })).toMatchObject({ page: { title: 'Sent' } })
    expect(await auditedRuns(api, 'browser.page.form')).toHaveLength(1)
  })
})
