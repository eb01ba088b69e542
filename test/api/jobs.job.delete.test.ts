import { describe, expect } from 'vitest'
import { queueOf } from '../../src/services/queuesOf.ts'
import { test } from '../support/api.ts'
import { storeJob, storeJobFlight } from '../support/flights.ts'
import { generateKey } from '../support/limitedKey.ts'
import { expectProblem } from '../support/problems.ts'
import { addJob, withWorker } from '../support/queuedJobs.ts'

const id = 'jobs.job.delete'

describe(id, () => {
  test('removes a job that waits', async ({ api, call, sendAs }) => {
    await addJob(api.house, 'export', 'gone')
    const params = { queue: 'export', id: 'gone' }
    expect((await sendAs(api.adminKey, id, { params })).status).toBe(204)
    await expect(call('jobs.job.read', { params })).rejects.toMatchObject({ status: 404 })
    await expect(call(id, { params })).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })

  test('refuses a job that a worker holds, and leaves it to it', async ({ api, call }) => {
    const job = await addJob(api.house, 'export', 'held')
    const params = { queue: 'export', id: 'held' }
    let finish = (): void => undefined
    const held = new Promise<void>((done) => (finish = done))
    await withWorker(api.house, 'export', () => held, async () => {
      await expect.poll(() => job.getState(), { timeout: 10_000 }).toBe('active')
      await expect(call(id, { params })).rejects.toMatchObject({ status: 409, code: 'conflict' })
      finish()
      await expect.poll(() => job.getState(), { timeout: 10_000 }).toBe('completed')
    })
  })

  test.for(['queued', 'running'])('cancels a browser job that is %s, which can still be read, and removes it the second time', async (status, { api, call, sendAs }) => {
    const lease = status === 'running' ? { leaseUntil: new Date(Date.now() + 60_000), fence: 1 } : {}
    const job = await storeJob(api, { status, finishedAt: null, expiresAt: null, ...lease })
    const params = { queue: 'browser', id: job }
    expect((await sendAs(api.adminKey, id, { params })).status).toBe(204)
    expect(await call('jobs.job.read', { params })).toMatchObject({ state: 'cancelled', error: { code: 'conflict' }, finishedAt: expect.any(String) as string })
    await expect(call('jobs.job.retry', { params })).rejects.toMatchObject({ status: 409, problem: { state: 'cancelled' } })
    expect((await sendAs(api.adminKey, id, { params })).status).toBe(204)
    expect((await sendAs(api.adminKey, id, { params })).status).toBe(404)
    const audited = await api.house.db.auditEntry.findMany({ where: { operation: id, target: `browser/${job}` } })
    expect(audited.map(({ outcome }) => outcome)).toEqual(['done', 'done'])
  })

  test('removes a browser job that has ended, with its answer and its flight', async ({ api, sendAs }) => {
    const job = await storeJob(api)
    await storeJobFlight(api, job, null)
    expect((await sendAs(api.adminKey, id, { params: { queue: 'browser', id: job } })).status).toBe(204)
    expect([await api.house.db.browserJob.count({ where: { id: job } }), await api.house.db.flight.count({ where: { jobId: job } })]).toEqual([0, 0])
  })

  test('takes from a key with browser:run its own jobs, and hides those of others', async ({ api, sendAs }) => {
    const mine = await generateKey(api, { scopes: ['browser:run'] })
    const live = { status: 'queued', finishedAt: null, expiresAt: null }
    const [own, others] = [await storeJob(api, { ...live, apiKeyId: mine.id }), await storeJob(api, live)]
    await addJob(api.house, 'export', 'not yours')
    expect((await sendAs(mine.key, id, { params: { queue: 'browser', id: own } })).status).toBe(204)
    for (const params of [{ queue: 'browser', id: others }, { queue: 'export', id: 'not yours' }]) await expectProblem(await sendAs(mine.key, id, { params }), 'not_found')
    expect(await api.house.db.browserJob.findUnique({ where: { id: others } })).toMatchObject({ status: 'queued' })
    await expectProblem(await sendAs((await generateKey(api, { scopes: ['ops:read'] })).key, id, { params: { queue: 'browser', id: others } }), 'forbidden')
  })

  test('refuses the next job of a schedule', async ({ api, call }) => {
    await queueOf(api.house, 'almanac').upsertJobScheduler('every', { every: 3_600_000 }, { name: 'test.job', data: {} })
    const { items } = await call('jobs.job.list', { query: { queue: 'almanac' } })
    const [job] = items
    await expect(call(id, { params: { queue: 'almanac', id: job?.id ?? '' } })).rejects.toMatchObject({ status: 409, code: 'conflict' })
  })
})
