import { describe, expect } from 'vitest'
import { queueOf } from '../../src/services/queuesOf.ts'
import { test } from '../support/api.ts'
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

  test('refuses the next job of a schedule', async ({ api, call }) => {
    await queueOf(api.house, 'almanac').upsertJobScheduler('every', { every: 3_600_000 }, { name: 'test.job', data: {} })
    const { items } = await call('jobs.job.list', { query: { queue: 'almanac' } })
    const [job] = items
    await expect(call(id, { params: { queue: 'almanac', id: job?.id ?? '' } })).rejects.toMatchObject({ status: 409, code: 'conflict' })
  })
})
