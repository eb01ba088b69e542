import { describe, expect } from 'vitest'
import { startApi } from '../support/api.ts'
import { createClient } from '../../src/client/index.ts'
import { test } from '../support/browserEngine.ts'

describe('krull.system.read', () => {
  test('shows the live workers with their browsers, the queue, and what failed lately', async ({ api, call, sendAs }) => {
    await sendAs(api.adminKey, 'krull.expression.evaluate', { body: { expression: '() => nothing.there' } })
    await expect.poll(() => call('krull.system.read'), { timeout: 15_000 }).toMatchObject({
      status: 'up',
      active: 0,
      workers: [{
        pid: process.pid, version: expect.any(String) as string, concurrency: 2, active: 0, failed: 1, memoryBytes: expect.any(Number) as number, sandboxed: true, browser: expect.stringMatching(/chrom/i) as string,
        browsers: [{ version: expect.stringMatching(/chrom/i) as string, sandbox: true, open: true, active: 0, memoryBytes: expect.any(Number) as number }],
      }],
      queue: { queue: 'browser', waiting: 0 },
      errors: { total: 1, recent: [{ code: 'expression_failed', detail: 'The expression failed' }] },
    })
  })

  test('is down where no worker lives', async () => {
    const api = await startApi()
    const call = createClient({ baseUrl: api.url, apiKey: api.adminKey })
    expect(await call('krull.system.read')).toMatchObject({ status: 'down', workers: [], errors: { total: 0, recent: [] } })
    await api.close()
  })
})
