import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { addJob, endJob } from '../support/queuedJobs.ts'

const id = 'jobs.job.read'

describe(id, () => {
  test('shows a job that waits, and one that has ended with its answer', async ({ api, call }) => {
    await endJob(api.house, 'export', 'ended', { rows: 3 })
    expect(await call(id, { params: { queue: 'export', id: 'ended' } })).toMatchObject({ state: 'completed', result: { rows: 3 }, attempts: 1 })
    await addJob(api.house, 'export', 'waits')
    const job = await call(id, { params: { queue: 'export', id: 'waits' } })
    expect(job).toEqual({ id: 'waits', queue: 'export', name: 'test.job', state: 'waiting', attempts: 0, createdAt: job.createdAt, startedAt: null, finishedAt: null })
  })

  test('answers not_found for a job and for a queue that there is not', async ({ call }) => {
    for (const params of [{ queue: 'export', id: 'nobody' }, { queue: 'nope', id: 'x' }, { queue: 'constructor', id: 'x' }]) {
      await expect(call(id, { params })).rejects.toMatchObject({ status: 404, code: 'not_found' })
    }
  })
})
