import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { addFailedJob, addJob } from '../support/queuedJobs.ts'

const id = 'jobs.job.retry'

describe(id, () => {
  test('puts a failed job back in line', async ({ api, call, sendAs }) => {
    await addFailedJob(api.house, 'export', 'again')
    const params = { queue: 'export', id: 'again' }
    const response = await sendAs(api.adminKey, id, { params })
    expect(response.status).toBe(202)
    expect(response.headers.get('location')).toBe('/v1/jobs/export/again')
    expect(await response.json()).toMatchObject({ id: 'again', state: 'waiting' })
    expect(await call('jobs.job.read', { params })).toMatchObject({ state: 'waiting' })
  })

  test('refuses a job that has not failed, and names its state', async ({ api, call }) => {
    await addJob(api.house, 'export', 'waits')
    await expect(call(id, { params: { queue: 'export', id: 'waits' } })).rejects.toMatchObject({ status: 409, code: 'conflict', message: expect.stringContaining('waiting') })
  })

  test('answers not_found for a job that there is not', async ({ call }) => {
    await expect(call(id, { params: { queue: 'export', id: 'nobody' } })).rejects.toMatchObject({ status: 404 })
    await expect(call(id, { params: { queue: 'nope', id: 'nobody' } })).rejects.toMatchObject({ status: 404 })
  })
})
