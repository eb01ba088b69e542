import { describe, expect } from 'vitest'
import { test, unknownId } from '../support/api.ts'
import { storeJob, storeJobFlight } from '../support/flights.ts'
import { generateKey } from '../support/limitedKey.ts'
import { expectProblem } from '../support/problems.ts'

const id = 'jobs.flight.read'

describe(id, () => {
  test('answers an HTTP archive, which names the picture where there is one', async ({ api, call }) => {
    const [bare, shown] = [await storeJob(api), await storeJob(api)]
    await storeJobFlight(api, bare, null)
    await storeJobFlight(api, shown, Buffer.from('png'))
    const { log } = await call(id, { params: { queue: 'browser', id: bare } })
    expect(log).toMatchObject({ version: '1.2', _console: [{ text: 'last words' }], _error: { code: 'target_failed', detail: 'It failed.' } })
    expect(log).not.toHaveProperty('_thumbnail')
    expect(await call(id, { params: { queue: 'browser', id: shown } })).toMatchObject({ log: { _thumbnail: `/v1/jobs/browser/${shown}/flight.png` } })
    expect(await call('jobs.job.read', { params: { queue: 'browser', id: bare } })).toMatchObject({ flight: `/v1/jobs/browser/${bare}/flight` })
  })

  test('is seen by the key that asked for the job, and by no other without ops:read', async ({ api, sendAs }) => {
    const [mine, other] = await Promise.all([generateKey(api, { scopes: ['browser:run'] }), generateKey(api, { scopes: ['browser:run'] })])
    const params = { queue: 'browser', id: await storeJob(api, { apiKeyId: mine.id }) }
    await storeJobFlight(api, params.id, null)
    expect((await sendAs(mine.key, id, { params })).status).toBe(200)
    await expectProblem(await sendAs(other.key, id, { params }), 'not_found')
    await expectProblem(await sendAs((await generateKey(api, { scopes: ['queries:read'] })).key, id, { params }), 'forbidden')
    expect((await sendAs((await generateKey(api, { scopes: ['ops:read'] })).key, id, { params })).status).toBe(200)
  })

  test('answers not_found for a job without one, and for no job', async ({ api, call }) => {
    const without = await storeJob(api)
    for (const params of [{ queue: 'browser', id: without }, { queue: 'browser', id: unknownId }, { queue: 'query', id: without }, { queue: 'browser', id: 'x' }]) {
      await expect(call(id, { params })).rejects.toMatchObject({ status: 404, code: 'not_found' })
    }
  })
})
