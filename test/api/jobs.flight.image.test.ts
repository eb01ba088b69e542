import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { storeJob, storeJobFlight } from '../support/flights.ts'
import { generateKey } from '../support/limitedKey.ts'
import { expectProblem } from '../support/problems.ts'

const id = 'jobs.flight.image'

describe(id, () => {
  test('answers the picture as it was taken', async ({ api, sendAs }) => {
    const params = { queue: 'browser', id: await storeJob(api) }
    const picture = Buffer.from([137, 80, 78, 71, 0, 255])
    await storeJobFlight(api, params.id, picture)
    const response = await sendAs(api.adminKey, id, { params })
    expect([response.status, response.headers.get('content-type'), response.headers.get('x-content-type-options')]).toEqual([200, 'image/png', 'nosniff'])
    expect(response.headers.get('content-disposition')).toBe('inline; filename="flight.png"')
    expect(Buffer.from(await response.arrayBuffer())).toEqual(picture)
  })

  test('answers not_found where no picture could be taken, and for jobs of others', async ({ api, sendAs }) => {
    const params = { queue: 'browser', id: await storeJob(api) }
    await storeJobFlight(api, params.id, null)
    await expectProblem(await sendAs(api.adminKey, id, { params }), 'not_found')
    await expectProblem(await sendAs((await generateKey(api, { scopes: ['browser:run'] })).key, id, { params }), 'not_found')
  })
})
