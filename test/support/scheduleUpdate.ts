import { describe, expect } from 'vitest'
import type { Schedule } from '../../src/contract/sirp/schedules.ts'
import { test } from './api.ts'
import { backdate, createSchedule, msBetween } from './schedules.ts'

/** The two addresses under which a schedule is updated. */
export type ScheduleUpdate = 'sirp.schedule.update' | 'sirp.schedule.updateById'

/** The input of an update, whichever way it names the schedule. */
export function updateInput(id: ScheduleUpdate, schedule: string, fields: object) {
  return id === 'sirp.schedule.update' ? { body: { queryId: schedule, ...fields } } : { params: { id: schedule }, body: fields }
}

/** What both ways to update a schedule have in common. */
export function describeScheduleUpdate(id: ScheduleUpdate): void {
  describe(id, () => {
    test('changes what is given, keeps the rest, its slots among it, and counts the version up', async ({ api, sendAs }) => {
      const before = await createSchedule(api, { minutes: 5, ttl: 60, metadata: { a: 1 }, summary: true, sirpURL: 'https://a.example/' })
      const response = await sendAs(api.adminKey, id, updateInput(id, before.id, { query: 'range 5', metadata: { b: 2 }, cleanup: true, minutes: 5 }))
      const after = (await response.json()) as Schedule
      expect(response.status).toBe(200)
      expect(response.headers.get('etag')).toBe('"2"')
      expect(after).toEqual({ ...before, query: 'range 5', metadata: { b: 2 }, cleanup: true, version: 2, updatedAt: after.updatedAt })
      const again = (await (await sendAs(api.adminKey, id, updateInput(id, before.id, { query: 'range 6' }))).json()) as Schedule
      expect(again).toEqual({ ...after, query: 'range 6', version: 3, updatedAt: again.updatedAt })
    })

    test('counts a new interval from now on', async ({ api, sendAs }) => {
      const before = await createSchedule(api, { minutes: 5 })
      await backdate(api, before.id, 3 * 60_000)
      const sentAt = Date.now()
      const after = (await (await sendAs(api.adminKey, id, updateInput(id, before.id, { query: 'range 3', minutes: 10 }))).json()) as Schedule
      expect(after.minutes).toBe(10)
      expect(msBetween(new Date(sentAt).toISOString(), after.nextRunAt)).toBeGreaterThanOrEqual(10 * 60_000)
      expect(msBetween(new Date().toISOString(), after.nextRunAt)).toBeLessThanOrEqual(10 * 60_000)
    })

    test('gives a disabled schedule its new interval, but no next run', async ({ api, sendAs, call }) => {
      const { id: disabled } = await createSchedule(api, { minutes: 5 })
      await call('sirp.schedule.disable', { params: { id: disabled } })
      const after = (await (await sendAs(api.adminKey, id, updateInput(id, disabled, { query: 'range 3', minutes: 10 }))).json()) as Schedule
      expect(after).toMatchObject({ minutes: 10, enabled: false, nextRunAt: null })
    })

    test.for([
      ['query', ['', 'x'.repeat(1_048_577), 1, null]],
      ['ttl', [-1, 1.5, 315_360_001, null]],
      ['metadata', [[], 'x', null]],
      ['summary', [0, null]],
      ['cleanup', [1, null]],
      ['minutes', [-1, 1.5, 2_147_483_648, null]],
      ['mode', ['turbo']],
      ['sirpURL', ['https://b.example/']],
      ['enabled', [false]],
      ['version', [1]],
    ] as const)('refuses a wrong %s, and changes nothing', async ([field, wrong], { api, sendAs, call }) => {
      const before = await createSchedule(api)
      for (const value of wrong) {
        const response = await sendAs(api.adminKey, id, updateInput(id, before.id, { query: 'range 3', [field]: value }))
        expect(response.status).toBe(400)
        expect(await response.json()).toMatchObject({ code: 'validation_failed', errors: [{ path: `/${field}` }] })
      }
      expect(await call('sirp.schedule.read', { params: { id: before.id } })).toEqual(before)
    })

    test('needs the query', async ({ api, sendAs }) => {
      const { id: schedule } = await createSchedule(api)
      const response = await sendAs(api.adminKey, id, updateInput(id, schedule, { minutes: 5 }))
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ errors: [{ path: '/query', message: 'is required' }] })
    })

    test('answers not_found for an id that nothing has, and creates nothing', async ({ api, sendAs, call }) => {
      const response = await sendAs(api.adminKey, id, updateInput(id, 'nobody', { query: 'range 3' }))
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ code: 'not_found' })
      await expect(call('sirp.schedule.read', { params: { id: 'nobody' } })).rejects.toMatchObject({ status: 404 })
    })

    test('answers not_found for a schedule that was deleted, and does not bring it back', async ({ api, sendAs, call }) => {
      const { id: deleted } = await createSchedule(api)
      await call('sirp.schedule.delete', { params: { id: deleted } })
      const response = await sendAs(api.adminKey, id, updateInput(id, deleted, { query: 'range 3' }))
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ code: 'not_found', detail: expect.stringContaining(deleted) as string })
      await expect(call('sirp.schedule.read', { params: { id: deleted } })).rejects.toMatchObject({ status: 404 })
    })

    test('lets one of ten changes of the same version through and refuses the others', async ({ api, sendAs }) => {
      const { id: contended } = await createSchedule(api)
      const change = async (query: string) => (await sendAs(api.adminKey, id, { ...updateInput(id, contended, { query }), headers: { 'If-Match': '"1"' } })).status
      const statuses = await Promise.all(Array.from({ length: 10 }, (_, index) => change(`range ${index}`)))
      expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 412)])
    })
  })
}
