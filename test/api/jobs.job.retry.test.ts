import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { storeJob, storeJobFlight } from '../support/flights.ts'
import { generateKey } from '../support/limitedKey.ts'
import { expectProblem } from '../support/problems.ts'
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

  test('puts a failed browser job back in line without what is left of its failure', async ({ api, call, sendAs }) => {
    const mine = await generateKey(api, { scopes: ['browser:run'] })
    const params = { queue: 'browser', id: await storeJob(api, { apiKeyId: mine.id, claims: 2, deadlineAt: new Date() }) }
    await storeJobFlight(api, params.id, null)
    const response = await sendAs(mine.key, id, { params })
    expect([response.status, response.headers.get('location')]).toEqual([202, `/v1/jobs/browser/${params.id}`])
    expect(await response.json()).toMatchObject({ id: params.id, state: 'waiting', finishedAt: null })
    expect(await api.house.db.flight.count({ where: { jobId: params.id } })).toBe(0)
    expect(await api.house.db.browserJob.findUnique({ where: { id: params.id } })).toMatchObject({ status: 'queued', jobNo: 2, claims: 0, deadlineAt: null, expiresAt: null, errorCode: null })
    await expect.poll(() => call('jobs.job.read', { params: { queue: 'browser', id: `browser-${params.id}-2` } }), { timeout: 10_000 }).toMatchObject({ name: 'browser.run' })
    await expect(call(id, { params })).rejects.toMatchObject({ status: 409, problem: { state: 'queued' } })
    await expectProblem(await sendAs(mine.key, id, { params: { queue: 'browser', id: await storeJob(api) } }), 'not_found')
  })

  test('answers not_found for a job that there is not', async ({ call }) => {
    await expect(call(id, { params: { queue: 'export', id: 'nobody' } })).rejects.toMatchObject({ status: 404 })
    await expect(call(id, { params: { queue: 'nope', id: 'nobody' } })).rejects.toMatchObject({ status: 404 })
  })
})
