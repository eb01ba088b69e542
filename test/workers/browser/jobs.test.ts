import { describe, expect } from 'vitest'
import { createClient, type Call } from '../../../src/client/index.ts'
import { newId } from '../../../src/platform/ids.ts'
import { sealJob } from '../../../src/services/krull/sealedJob.ts'
import { reconcileBrowserJobs } from '../../../src/services/krull/reconcileJobs.ts'
import { reapBrowserJobs } from '../../../src/services/krull/reapJobs.ts'
import { reapImages } from '../../../src/services/screenshot/reap.ts'
import { readImage, storeImage } from '../../../src/services/screenshot/store.ts'
import type { RunningApi } from '../../support/api.ts'
import { startBrowserEngine, startBrowserWorker, test } from '../../support/browserEngine.ts'
import { endedJob } from '../../support/browserJobs.ts'

const storeLost = async ({ house }: RunningApi, more: object = {}): Promise<string> => {
  const id = newId()
  const sealed = sealJob(house.box, id, { expression: '6 * 7' })
  await house.db.browserJob.create({ data: { id, operation: 'krull.expression.evaluate', requestId: 'r', sealed, enqueuedAt: new Date(Date.now() - 60_000), ...more } })
  return id
}

const codeOf = (promise: Promise<unknown>): Promise<string> => promise.then(() => 'fine', (error: { code: string }) => error.code)

describe('browser jobs', () => {
  test('that no queue holds are found and done', async ({ api }) => {
    const id = await storeLost(api)
    expect(await endedJob(api, `/v1/jobs/browser/${id}`)).toMatchObject({ state: 'completed', result: { result: 42 } })
  })

  test('that a dead worker held are taken over, and count as poison when that happens too often', async ({ api }) => {
    const gone = { status: 'running', fence: 3, leaseUntil: new Date(Date.now() - 1_000) }
    const [once, often] = [await storeLost(api, { ...gone, claims: 1 }), await storeLost(api, { ...gone, claims: 4 })]
    expect(await endedJob(api, `/v1/jobs/browser/${once}`)).toMatchObject({ state: 'completed' })
    expect(await endedJob(api, `/v1/jobs/browser/${often}`)).toMatchObject({ state: 'failed', error: { code: 'poison' } })
    expect(await reconcileBrowserJobs(api.house, false)).toBe(0)
  })

  test('are removed an hour after their end, and pictures a day after their last use unless something names them', async ({ api, call }) => {
    const old = new Date(Date.now() - 2 * 86_400_000)
    const id = await storeLost(api, { status: 'completed', finishedAt: old, expiresAt: old })
    await reapBrowserJobs(api.house)
    expect(await api.house.db.browserJob.count({ where: { id } })).toBe(0)
    const [free, held] = ['ab'.repeat(32), 'cd'.repeat(32)]
    for (const hash of [free, held]) await storeImage(api.house, { hash, type: 'png', width: 1, height: 1, bytes: Buffer.from(hash) })
    await call('sirp.cellarManifest.add', { body: { name: 'kept.ndjson', store: 'x', type: 'file', screenshots: [[held]] } })
    await api.house.db.screenshot.updateMany({ data: { usedAt: old } })
    await reapImages(api.house)
    expect([await readImage(api.house, free), (await readImage(api.house, held))?.type]).toEqual([null, 'png'])
  })

  test('are given back by a worker that ends, and done by another', async ({ site }) => {
    const engine = await startBrowserEngine()
    const call: Call = createClient({ baseUrl: engine.url, apiKey: engine.adminKey })
    const other = await startBrowserWorker(engine.settings)
    try {
      const slow = Array.from({ length: 4 }, () => call('krull.page.evaluate', { body: { url: `${site.origin}/a`, expression: '() => new Promise((done) => setTimeout(done, 1500, 7))' } }))
      await expect.poll(() => engine.house.db.browserJob.count({ where: { status: 'running' } }), { timeout: 10_000 }).toBe(4)
      await other.close()
      expect((await Promise.all(slow)).map(({ result }) => result)).toEqual([7, 7, 7, 7])
    } finally {
      await engine.close()
    }
  }, 60_000)
})

describe('browser jobs under a policy', () => {
  test('are held back as long as it says, refused where it says never, and end when their time is up', async ({ site }) => {
    const engine = await startBrowserEngine({ BROWSER_JOB_MS: '6000' })
    const call: Call = createClient({ baseUrl: engine.url, apiKey: engine.adminKey })
    const open = (path = '/a') => call('krull.page.evaluate', { body: { url: `${site.origin}${path}`, expression: '1' } })
    try {
      const policy = await call('gonogo.policy.create', { body: { name: 'slow', domain: '127.0.0.1', policy: { perSecond: 1 } } })
      await open()
      const before = site.seen.length
      const started = performance.now()
      await Promise.all([open(), open()])
      expect(performance.now() - started).toBeGreaterThan(1_500)
      expect(site.seen.length - before).toBe(2)
      await call('gonogo.policy.update', { params: { id: policy.id }, body: { name: 'slow', domain: '127.0.0.1', policy: { perMinute: 1 } } })
      await expect.poll(() => codeOf(open()), { timeout: 30_000 }).toBe('job_timeout')
      await call('gonogo.policy.update', { params: { id: policy.id }, body: { name: 'never', domain: '127.0.0.1', policy: { perSecond: 0 } } })
      await expect.poll(() => codeOf(open()), { timeout: 30_000 }).toBe('policy_blocked')
    } finally {
      await engine.close()
    }
  }, 60_000)

  test('ask again when it changes', async ({ site }) => {
    const engine = await startBrowserEngine()
    const call: Call = createClient({ baseUrl: engine.url, apiKey: engine.adminKey })
    const open = () => call('krull.page.evaluate', { body: { url: `${site.origin}/a`, expression: '1' } })
    try {
      const { id } = await call('gonogo.policy.create', { body: { name: 'slow', domain: '127.0.0.1', policy: { perMinute: 1 } } })
      await open()
      const held = open()
      await expect.poll(() => engine.house.db.browserJob.count({ where: { status: 'queued', enqueuedAt: { gt: new Date() } } }), { timeout: 10_000 }).toBe(1)
      const started = performance.now()
      await call('gonogo.policy.delete', { params: { id } })
      expect((await held).result).toBe(1)
      expect(performance.now() - started).toBeLessThan(10_000)
    } finally {
      await engine.close()
    }
  }, 60_000)

  test('ask for leave also before a redirect to a limited domain', async ({ site }) => {
    const engine = await startBrowserEngine()
    const call: Call = createClient({ baseUrl: engine.url, apiKey: engine.adminKey })
    try {
      await call('gonogo.policy.create', { body: { name: 'never', domain: '127.0.0.3', policy: { perSecond: 0 } } })
      expect(await codeOf(call('krull.page.evaluate', { body: { url: `${site.origin}/to?host=127.0.0.3`, expression: '1' } }))).toBe('policy_blocked')
    } finally {
      await engine.close()
    }
  }, 60_000)
})
