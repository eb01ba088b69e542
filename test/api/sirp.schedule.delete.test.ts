import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { createSchedule } from '../support/schedules.ts'

const id = 'sirp.schedule.delete'

describe(id, () => {
  test('answers 204 without a body, and the id is free again', async ({ api, sendAs, call }) => {
    await createSchedule(api, { queryId: 'short-lived' })
    const response = await sendAs(api.adminKey, id, { params: { id: 'short-lived' } })
    expect(response.status).toBe(204)
    expect(await response.text()).toBe('')
    await expect(call('sirp.schedule.read', { params: { id: 'short-lived' } })).rejects.toMatchObject({ status: 404 })
    await createSchedule(api, { queryId: 'short-lived' })
  })

  test('answers not_found for an id that nothing has', async ({ call }) => {
    await expect(call(id, { params: { id: 'nobody' } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })

  test('deletes only the version that If-Match asks for', async ({ api, sendAs }) => {
    const record = await createSchedule(api)
    const remove = async (version: number) => (await sendAs(api.adminKey, id, { params: { id: record.id }, headers: { 'If-Match': `"${version}"` } })).status
    expect(await remove(2)).toBe(412)
    expect(await remove(1)).toBe(204)
  })

  test('is done once when ten requests ask for it at once', async ({ api, sendAs }) => {
    const record = await createSchedule(api)
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await sendAs(api.adminKey, id, { params: { id: record.id } })).status))
    expect(statuses.toSorted()).toEqual([204, ...Array.from({ length: 9 }, () => 404)])
  })
})
