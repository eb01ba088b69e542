import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { backdate, createSchedule } from '../support/schedules.ts'

const id = 'sirp.schedule.enable'
const minute = 60_000

describe(id, () => {
  test('goes on in the next of the old slots that lies ahead', async ({ api, call }) => {
    const { id: schedule } = await createSchedule(api, { minutes: 10 })
    const anchor = await backdate(api, schedule, 25 * minute)
    await call('sirp.schedule.disable', { params: { id: schedule } })
    const after = await call(id, { params: { id: schedule } })
    expect(after).toMatchObject({ enabled: true, version: 3, nextRunAt: new Date(anchor.getTime() + 30 * minute).toISOString() })
  })

  test('leaves the next run of an enabled schedule alone, even one that is overdue', async ({ api, sendAs }) => {
    const { id: schedule } = await createSchedule(api, { minutes: 10 })
    const anchor = await backdate(api, schedule, 25 * minute)
    const overdue = new Date(anchor.getTime() + 20 * minute)
    await api.house.db.schedule.update({ where: { id: schedule }, data: { nextRunAt: overdue } })
    for (const _ of [1, 2]) {
      const response = await sendAs(api.adminKey, id, { params: { id: schedule } })
      expect(response.status).toBe(200)
      expect(await response.json()).toMatchObject({ enabled: true, nextRunAt: overdue.toISOString() })
    }
  })

  test('lets a schedule of 0 minutes run that has not, and none that has', async ({ api, call }) => {
    const { id: once, createdAt } = await createSchedule(api, { minutes: 0 })
    await call('sirp.schedule.disable', { params: { id: once } })
    expect(await call(id, { params: { id: once } })).toMatchObject({ enabled: true, nextRunAt: createdAt })
    await api.house.db.schedule.update({ where: { id: once }, data: { lastRunAt: new Date(), fired: 1 } })
    await call('sirp.schedule.disable', { params: { id: once } })
    expect(await call(id, { params: { id: once } })).toMatchObject({ enabled: true, nextRunAt: null })
  })

  test('ends in one of both states when many enable and disable at once', async ({ api, sendAs, call }) => {
    const { id: schedule, version } = await createSchedule(api)
    const turn = async (on: boolean) => (await sendAs(api.adminKey, on ? id : 'sirp.schedule.disable', { params: { id: schedule } })).status
    const statuses = await Promise.all(Array.from({ length: 20 }, (_, index) => turn(index % 2 === 0)))
    expect(new Set(statuses)).toEqual(new Set([200]))
    const after = await call('sirp.schedule.read', { params: { id: schedule } })
    expect(after.nextRunAt !== null).toBe(after.enabled)
    expect(after.version).toBe(version + 20)
  })

  test('answers not_found for an id that nothing has, and 412 for a version that is past', async ({ api, sendAs, call }) => {
    await expect(call(id, { params: { id: 'nobody' } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
    const { id: schedule } = await createSchedule(api)
    expect((await sendAs(api.adminKey, id, { params: { id: schedule }, headers: { 'If-Match': '"7"' } })).status).toBe(412)
  })
})
