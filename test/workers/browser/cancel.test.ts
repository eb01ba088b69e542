import { describe, expect } from 'vitest'
import { send } from '../../../src/client/index.ts'
import type { RunningApi } from '../../support/api.ts'
import { startBrowserEngine, test } from '../../support/browserEngine.ts'
import { generateKey } from '../../support/limitedKey.ts'

const startJob = async (api: RunningApi, url: string, apiKey = api.adminKey): Promise<string> => {
  const options = { body: { url, expression: '1' }, headers: { Prefer: 'respond-async' } }
  const response = await send({ baseUrl: api.url, apiKey }, 'krull.page.evaluate', options)
  expect(response.status).toBe(202)
  return ((await response.json()) as { id: string }).id
}

const statusOf = async ({ house }: RunningApi, id: string) => (await house.db.browserJob.findUnique({ where: { id } }))?.status

const running = async (api: RunningApi, url: string): Promise<string> => {
  const id = await startJob(api, url)
  await expect.poll(() => statusOf(api, id), { timeout: 10_000 }).toBe('running')
  return id
}

describe('a browser job that is deleted', () => {
  test.for(['/never', '/endless'])('while it runs in %s is cancelled, and its place is free within five seconds', { timeout: 60_000 }, async (path, { api, call, site }) => {
    const ids = await Promise.all([running(api, `${site.origin}${path}`), running(api, `${site.origin}${path}`)])
    const started = performance.now()
    for (const id of ids) await call('jobs.job.delete', { params: { queue: 'browser', id } })
    expect(await Promise.all(ids.map((id) => statusOf(api, id)))).toEqual(['cancelled', 'cancelled'])
    expect(await call('krull.page.evaluate', { body: { url: `${site.origin}/a`, expression: '() => document.title' } })).toMatchObject({ result: 'Page A' })
    expect(performance.now() - started).toBeLessThan(10_000)
    const record = await call('jobs.job.read', { params: { queue: 'browser', id: ids[0] } })
    expect(record).toMatchObject({ state: 'cancelled', error: { code: 'conflict' } })
    expect(await api.house.db.flight.count({ where: { jobId: { in: ids } } })).toBe(0)
  })

  test('tells the one who waits for it at once', async ({ api, call, site }) => {
    const waiting = call('krull.page.evaluate', { body: { url: `${site.origin}/never`, expression: '1' } }).catch((error: unknown) => error)
    const live = { status: { in: ['queued', 'running'] } }
    await expect.poll(() => api.house.db.browserJob.count({ where: live }), { timeout: 10_000 }).toBe(1)
    const job = await api.house.db.browserJob.findFirst({ where: live })
    const started = performance.now()
    await call('jobs.job.delete', { params: { queue: 'browser', id: job?.id ?? '' } })
    expect(await waiting).toMatchObject({ status: 409, code: 'conflict', problem: { state: 'cancelled' } })
    expect(performance.now() - started).toBeLessThan(2_000)
  }, 30_000)

  test('while it runs in a process whose Redis hint never comes is still cancelled', async ({ site }) => {
    const engine = await startBrowserEngine()
    try {
      const id = await running(engine, `${site.origin}/never`)
      const gone = new Date()
      // The row alone says it, as it does while Redis is away.
      await engine.house.db.browserJob.update({ where: { id }, data: { status: 'cancelled', finishedAt: gone, expiresAt: new Date(Date.now() + 60_000) } })
      const details = async () => (await send({ baseUrl: engine.url, apiKey: engine.adminKey }, 'krull.system.read', {})).json() as Promise<{ active: number }>
      await expect.poll(async () => (await details()).active, { timeout: 10_000 }).toBe(0)
    } finally {
      await engine.close()
    }
  }, 60_000)
})

describe('a failed browser job', () => {
  test('is tried again with what was asked for, and by its own key too', async ({ api, call, site }) => {
    const { key } = await generateKey(api, { scopes: ['browser:run'] })
    const own = { baseUrl: api.url, apiKey: key }
    const id = await startJob(api, `${site.origin}/to?host=127.0.0.1`, key)
    const params = { queue: 'browser', id }
    await expect.poll(() => statusOf(api, id), { timeout: 15_000 }).toBe('failed')
    expect(await call('jobs.job.read', { params })).toMatchObject({ error: { code: 'target_failed' }, flight: expect.any(String) as string })
    const again = await send(own, 'jobs.job.retry', { params })
    expect([again.status, again.headers.get('location')]).toEqual([202, `/v1/jobs/browser/${id}`])
    expect(await again.json()).toMatchObject({ state: expect.stringMatching(/waiting|active/) as string, finishedAt: null })
    await expect.poll(() => statusOf(api, id), { timeout: 15_000 }).toBe('failed')
    expect(await call('jobs.flight.read', { params })).toMatchObject({ log: { _error: { code: 'target_failed' } } })
    expect(await api.house.db.browserJob.findUnique({ where: { id } })).toMatchObject({ jobNo: 2, claims: 1 })
  }, 60_000)
})
