import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'
import { addJob } from '../support/queuedJobs.ts'

const id = 'workers.demand.list'

describe(id, () => {
  test('shows the work that waits in seconds of one worker, by type', async ({ api, call }) => {
    const demandFor = async (type: string) => (await call(id)).items.find((item) => item.type === type)
    expect(await demandFor('export')).toEqual({ type: 'export', processes: 0, concurrency: 0, waiting: 0, active: 0, oldestWaitMs: 0, jobSeconds: 1, workerSeconds: 0 })
    for (const jobId of ['a', 'b']) await addJob(api.house, 'export', jobId)
    // Nobody has done such a job yet, so each counts as a second; one process would take eight of them at once.
    expect(await demandFor('export')).toMatchObject({ waiting: 2, jobSeconds: 1, workerSeconds: 0.25 })
    await call('sirp.query.dispatchWait', { body: { query: 'range 3' } })
    await expect.poll(async () => (await demandFor('query'))?.jobSeconds, { timeout: 10_000 }).not.toBe(1)
    expect(await demandFor('query')).toMatchObject({ processes: 1, concurrency: api.house.env.queryConcurrency, waiting: 0, workerSeconds: 0 })
    expect((await call(id, { query: { limit: 2 } })).items).toHaveLength(2)
  })
})
