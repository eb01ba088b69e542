import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { storeJob } from '../support/flights.ts'
import { generateKey } from '../support/limitedKey.ts'
import { expectProblem } from '../support/problems.ts'
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

  test('shows a key with browser:run the jobs that it asked for, and nothing else', async ({ api, sendAs }) => {
    const [mine, other] = await Promise.all([generateKey(api, { scopes: ['browser:run'] }), generateKey(api, { scopes: ['browser:run'] })])
    const own = await storeJob(api, { apiKeyId: mine.id })
    const response = await sendAs(mine.key, id, { params: { queue: 'browser', id: own } })
    expect(await response.json()).toMatchObject({ id: own, state: 'failed', error: { code: 'target_failed', detail: 'It failed.' } })
    await addJob(api.house, 'export', 'hidden')
    const hidden = [{ queue: 'browser', id: await storeJob(api, { apiKeyId: other.id }) }, { queue: 'browser', id: await storeJob(api) }, { queue: 'export', id: 'hidden' }]
    for (const params of hidden) {
      await expectProblem(await sendAs(mine.key, id, { params }), 'not_found')
      expect((await sendAs(api.adminKey, id, { params })).status).toBe(200)
    }
  })

  test('answers not_found for a job and for a queue that there is not', async ({ call }) => {
    for (const params of [{ queue: 'export', id: 'nobody' }, { queue: 'nope', id: 'x' }, { queue: 'constructor', id: 'x' }]) {
      await expect(call(id, { params })).rejects.toMatchObject({ status: 404, code: 'not_found' })
    }
  })
})
