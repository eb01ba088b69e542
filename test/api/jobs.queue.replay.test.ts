import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { addFailedJob } from '../support/queuedJobs.ts'

const id = 'jobs.queue.replay'

describe(id, () => {
  test('puts every failed job of the queue back in line', async ({ api, call }) => {
    const params = { queue: 'export' }
    expect(await call(id, { params })).toEqual({ queue: 'export', replayed: 0 })
    for (const jobId of ['a', 'b']) await addFailedJob(api.house, 'export', jobId)
    expect(await call(id, { params })).toEqual({ queue: 'export', replayed: 2 })
    const { items } = await call('jobs.job.list', { query: { queue: 'export' } })
    expect(items.map((job) => [job.id, job.state]).toSorted()).toEqual([['a', 'waiting'], ['b', 'waiting']])
  })

  test('answers not_found for a queue that there is not', async ({ call }) => {
    await expect(call(id, { params: { queue: 'nope' } })).rejects.toMatchObject({ status: 404 })
  })
})
