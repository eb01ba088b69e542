import { describe, expect } from 'vitest'
import { test } from '../support/browserEngine.ts'
import { auditedRuns } from '../support/browserJobs.ts'

describe('browser.expression.evaluate', () => {
  test('answers as krull.expression.evaluate does, and leaves an audit entry of its own', async ({ api, call }) => {
    expect(await call('browser.expression.evaluate', { body: { expression: '1 + 1' } })).toMatchObject({ result: 2, attempts: 1 })
    expect(await auditedRuns(api, 'browser.expression.evaluate')).toHaveLength(1)
  })
})
