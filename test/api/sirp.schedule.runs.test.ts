import { describe, expect } from 'vitest'
import { tick } from '../../src/services/almanac/tick.ts'
import { test } from '../support/api.ts'
import { expectPageBounds, expectPaging } from '../support/expectPaging.ts'
import { limitedKey } from '../support/limitedKey.ts'
import { expectProblem } from '../support/problems.ts'
import { createSchedule, makeDue } from '../support/schedules.ts'

const id = 'sirp.schedule.runs'

describe(id, () => {
  test('answers what became of each slot and of each run that was asked for, the newest first, page by page', async ({ api, call, sendAs }) => {
    const { id: schedule } = await createSchedule(api, { minutes: 1 })
    expect(await call(id, { params: { id: schedule } })).toEqual({ items: [], total: 0, offset: 0, limit: 100 })
    const due = await makeDue(api, schedule, 90_000)
    await tick(api.house)
    const { id: queryId } = await call('sirp.schedule.run', { params: { id: schedule } })
    const { items } = await call(id, { params: { id: schedule } })
    const times = { id: expect.any(String), createdAt: expect.any(String), updatedAt: expect.any(String), scheduleId: schedule }
    expect(items).toEqual([
      { ...times, slot: null, status: 'fired', reason: null, queryId, queryStatus: 'queued', finishedAt: null },
      { ...times, slot: new Date(due.getTime() + 60_000).toISOString(), status: 'fired', reason: null, queryId: expect.any(String), queryStatus: 'queued', finishedAt: null },
      { ...times, slot: due.toISOString(), status: 'skipped', reason: 'missed', queryId: null, queryStatus: null, finishedAt: expect.any(String) },
    ])
    await expectPaging((query) => sendAs(api.adminKey, id, { params: { id: schedule }, query }), items)
  })

  test('refuses pages beyond the bounds', async ({ api, sendAs }) => {
    const { id: schedule } = await createSchedule(api)
    await expectPageBounds((query) => sendAs(api.adminKey, id, { params: { id: schedule }, query }))
  })

  test('answers not_found for an id that nothing has', async ({ api, sendAs }) => {
    await expectProblem(await sendAs(api.adminKey, id, { params: { id: 'nobody' } }), 'not_found')
  })

  test('needs the scope schedules:read', async ({ api, sendAs }) => {
    const { id: schedule } = await createSchedule(api)
    await expectProblem(await sendAs(await limitedKey(api, 'queries:read'), id, { params: { id: schedule } }), 'forbidden')
  })
})
