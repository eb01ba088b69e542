import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { createSchedule } from '../support/schedules.ts'

const id = 'sirp.schedule.disable'

describe(id, () => {
  test('takes the next run away and counts the version up', async ({ api, sendAs }) => {
    const before = await createSchedule(api, { minutes: 5 })
    const response = await sendAs(api.adminKey, id, { params: { id: before.id } })
    expect(response.status).toBe(200)
    expect(response.headers.get('etag')).toBe('"2"')
    expect(await response.json()).toEqual({ ...before, enabled: false, nextRunAt: null, version: 2, updatedAt: expect.any(String) })
  })

  test('may be done twice, and with an empty object as its body', async ({ api, sendAs, call }) => {
    const { id: schedule } = await createSchedule(api)
    await call(id, { params: { id: schedule } })
    const again = await sendAs(api.adminKey, id, { params: { id: schedule }, body: {} })
    expect(again.status).toBe(200)
    expect(await again.json()).toMatchObject({ enabled: false, nextRunAt: null })
  })

  test('refuses a field in the body', async ({ api, sendAs }) => {
    const { id: schedule } = await createSchedule(api)
    expect((await sendAs(api.adminKey, id, { params: { id: schedule }, body: { minutes: 5 } })).status).toBe(400)
  })

  test('answers not_found for an id that nothing has, and 412 for a version that is past', async ({ api, sendAs, call }) => {
    await expect(call(id, { params: { id: 'nobody' } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
    const { id: schedule } = await createSchedule(api)
    expect((await sendAs(api.adminKey, id, { params: { id: schedule }, headers: { 'If-Match': '"7"' } })).status).toBe(412)
  })
})
