import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { addJob, withWorker } from '../support/queuedJobs.ts'

const id = 'jobs.queue.drain'
const params = { queue: 'export' }

describe(id, () => {
  test('pauses the queue and, with Prefer: wait, answers when the jobs have ended that workers hold', async ({ api, sendAs }) => {
    const job = await addJob(api.house, 'export', 'held')
    let finish = (): void => undefined
    const held = new Promise<void>((done) => (finish = done))
    await withWorker(api.house, 'export', () => held, async () => {
      await expect.poll(() => job.getState(), { timeout: 10_000 }).toBe('active')
      await addJob(api.house, 'export', 'behind')
      const at = await sendAs(api.adminKey, id, { params })
      expect(at.status).toBe(202)
      expect(await at.json()).toMatchObject({ paused: true, active: 1, waiting: 1 })
      const early = await sendAs(api.adminKey, id, { params, headers: { Prefer: 'wait=0' } })
      expect(early.status).toBe(202)
      const waiting = sendAs(api.adminKey, id, { params, headers: { Prefer: 'wait=15' } })
      finish()
      const drained = await waiting
      expect(drained.status).toBe(200)
      expect(await drained.json()).toMatchObject({ paused: true, active: 0, waiting: 1 })
    })
  })

  test('answers not_found for a queue that there is not', async ({ call }) => {
    await expect(call(id, { params: { queue: 'nope' } })).rejects.toMatchObject({ status: 404 })
  })
})
