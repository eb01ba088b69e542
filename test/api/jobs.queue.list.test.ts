import { describe, expect } from 'vitest'
import { queueNames } from '../../src/services/jobs/queueCounts.ts'
import { test } from '../support/api.ts'
import { addFailedJob, addJob } from '../support/queuedJobs.ts'

const id = 'jobs.queue.list'

describe(id, () => {
  test('shows every queue with its counts and how long its first job has waited', async ({ api, call }) => {
    const idle = { waiting: 0, active: 0, delayed: 0, failed: 0, oldestWaitMs: 0, paused: false }
    expect(await call(id)).toEqual({ items: queueNames.map((queue) => ({ queue, ...idle })), total: queueNames.length, offset: 0, limit: 100 })
    await addFailedJob(api.house, 'export', 'f')
    await addJob(api.house, 'export', 'w')
    const exports = async () => (await call(id)).items.find(({ queue }) => queue === 'export')
    expect(await exports()).toMatchObject({ waiting: 1, failed: 1 })
    await expect.poll(async () => (await exports())?.oldestWaitMs).toBeGreaterThan(0)
    expect((await call(id, { query: { offset: 1, limit: 1 } })).items).toHaveLength(1)
  })
})
