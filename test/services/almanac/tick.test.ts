import { describe, expect } from 'vitest'
import { tick } from '../../../src/services/almanac/tick.ts'
import { test, type RunningApi } from '../../support/api.ts'
import { createSchedule, makeDue, runsOf } from '../../support/schedules.ts'

const minuteMs = 60_000

const queriesOf = ({ house }: RunningApi, scheduleId: string) => house.db.query.findMany({ where: { scheduleId } })

const endQueries = async ({ house }: RunningApi, scheduleId: string, status: string): Promise<void> => {
  await house.db.query.updateMany({ where: { scheduleId }, data: { status, finishedAt: new Date() } })
}

describe('a tick', () => {
  test('starts the query of a due schedule once, with its settings, and moves it on to the next slot', async ({ api, call }) => {
    const { id } = await createSchedule(api, { minutes: 5, ttl: 60, metadata: { why: 'trial' }, summary: true, cleanup: true })
    const due = await makeDue(api, id, 1_000)
    await tick(api.house)
    await tick(api.house)
    const [query, ...more] = await queriesOf(api, id)
    expect(more).toEqual([])
    expect(query).toMatchObject({ query: 'range 3', status: 'queued', ttl: 60, minutes: 60, metadata: { why: 'trial' }, summary: true, cleanup: true, mode: 'comprehensive' })
    expect(await call('sirp.query.read', { params: { id: query?.id ?? '' } })).toMatchObject({ scheduleId: id })
    expect(await runsOf(api, id)).toMatchObject([{ slot: due, status: 'fired', reason: null, queryId: query?.id, queryStatus: 'queued', finishedAt: null }])
    expect(await call('sirp.schedule.read', { params: { id } })).toMatchObject({
      nextRunAt: new Date(due.getTime() + 5 * minuteMs).toISOString(),
      lastQueryId: query?.id,
      lastStatus: 'queued',
      runs: { fired: 1, skipped: 0, failed: 0 },
      version: 1,
    })
  })

  test('leaves a job for its query, on behalf of the key that made the schedule', async ({ api }) => {
    const { id } = await createSchedule(api)
    await makeDue(api, id, 1_000)
    const { id: keyId } = await api.house.db.apiKey.findFirstOrThrow({ where: { name: 'first key' } })
    await tick(api.house)
    const [query] = await queriesOf(api, id)
    expect(query).toMatchObject({ apiKeyId: keyId, requestId: expect.stringMatching(/^schedule-/) })
    const entries = await api.house.db.auditEntry.findMany({ where: { target: query?.id ?? '' } })
    expect(entries).toMatchObject([{ actor: keyId, operation: 'almanac.tick', outcome: 'done' }])
    const job = `${api.house.env.redisPrefix}:query:query-${query?.id}-1`
    await expect.poll(() => api.house.redis.exists(job), { timeout: 10_000 }).toBe(1)
  })

  test('runs the newest of the slots that an outage has left, once, and records the others as missed', async ({ api, call }) => {
    const { id } = await createSchedule(api, { minutes: 2 })
    const due = await makeDue(api, id, 9 * minuteMs)
    await tick(api.house)
    const runs = await runsOf(api, id)
    const slots = [8, 6, 4, 2, 0].map((minutes) => new Date(due.getTime() + minutes * minuteMs))
    expect(runs.map(({ slot }) => slot)).toEqual(slots)
    expect(runs.map(({ status, reason }) => reason ?? status)).toEqual(['fired', 'missed', 'missed', 'missed', 'missed'])
    expect(await queriesOf(api, id)).toHaveLength(1)
    expect(await call('sirp.schedule.read', { params: { id } })).toMatchObject({
      nextRunAt: new Date(due.getTime() + 10 * minuteMs).toISOString(),
      runs: { fired: 1, skipped: 4, failed: 0 },
    })
  })

  test('counts every slot of a very long outage, and keeps the newest ten thousand', async ({ api, call }) => {
    const { id } = await createSchedule(api, { minutes: 1 })
    await makeDue(api, id, 20_000 * minuteMs + 1_000)
    await tick(api.house)
    expect(await call('sirp.schedule.read', { params: { id } })).toMatchObject({ runs: { fired: 1, skipped: 20_000, failed: 0 } })
    expect(await api.house.db.scheduleRun.count({ where: { scheduleId: id } })).toBe(10_001)
  })

  test('skips a slot while an earlier run has not ended, and runs again when it has', async ({ api, call }) => {
    const { id } = await createSchedule(api, { minutes: 5 })
    await makeDue(api, id, 6 * minuteMs)
    await tick(api.house)
    await makeDue(api, id, 1_000)
    await tick(api.house)
    expect(await runsOf(api, id)).toMatchObject([{ status: 'skipped', reason: 'overlap', queryId: null }, { status: 'fired' }, { status: 'skipped', reason: 'missed' }])
    const before = await call('sirp.schedule.read', { params: { id } })
    expect(before).toMatchObject({ lastStatus: 'queued', runs: { fired: 1, skipped: 2, failed: 0 } })
    await endQueries(api, id, 'completed')
    await makeDue(api, id, 500)
    await tick(api.house)
    expect(await call('sirp.schedule.read', { params: { id } })).toMatchObject({ lastStatus: 'queued', runs: { fired: 2, skipped: 2, failed: 0 } })
  })

  test('starts the query all the same where overlap is queue', async ({ api, call }) => {
    const { id } = await createSchedule(api, { minutes: 5, overlap: 'queue' })
    for (const agoMs of [6 * minuteMs, 1_000]) {
      await makeDue(api, id, agoMs)
      await tick(api.house)
    }
    expect(await queriesOf(api, id)).toHaveLength(2)
    expect(await call('sirp.schedule.read', { params: { id } })).toMatchObject({ runs: { fired: 2, skipped: 1, failed: 0 } })
  })

  test('runs a schedule of 0 minutes at once, and never again', async ({ api, call }) => {
    const { id, createdAt } = await createSchedule(api, { minutes: 0 })
    await expect.poll(async () => { await tick(api.house); return (await queriesOf(api, id)).length }).toBe(1)
    await tick(api.house)
    expect(await runsOf(api, id)).toMatchObject([{ slot: new Date(createdAt), status: 'fired' }])
    expect(await call('sirp.schedule.read', { params: { id } })).toMatchObject({ nextRunAt: null, enabled: true, runs: { fired: 1, skipped: 0, failed: 0 } })
  })

  test('leaves disabled schedules and those of later alone', async ({ api, call }) => {
    const { id } = await createSchedule(api, { minutes: 5 })
    const { id: disabled } = await createSchedule(api, { minutes: 5 })
    await call('sirp.schedule.disable', { params: { id: disabled } })
    await tick(api.house)
    for (const schedule of [id, disabled]) expect(await runsOf(api, schedule)).toEqual([])
  })

  test('records a slot whose query cannot be run any more as failed, with the reason, and goes on', async ({ api, call }) => {
    await call('sirp.template.create', { body: { name: 'leaving', description: 'd', query: 'range 2' } })
    const { id } = await createSchedule(api, { minutes: 5, query: 'runTemplate leaving' })
    const { items } = await call('sirp.template.list', { query: { name: 'leaving' } })
    await call('sirp.template.delete', { params: { id: items[0]?.id ?? '' } })
    await makeDue(api, id, 1_000)
    await tick(api.house)
    expect(await runsOf(api, id)).toMatchObject([{ status: 'failed', reason: expect.stringContaining('there is no template named leaving'), queryId: null, finishedAt: expect.any(Date) }])
    expect(await call('sirp.schedule.read', { params: { id } })).toMatchObject({ lastStatus: 'failed', lastQueryId: null, runs: { fired: 0, skipped: 0, failed: 1 } })
  })

  test('fills a template with its values at each run, as it is by then', async ({ api, call }) => {
    const template = await call('sirp.template.create', { body: { name: 'counted', description: 'd', query: 'range $template.count$' } })
    const { id } = await createSchedule(api, { minutes: 5, query: 'counted', values: { count: 4 } })
    await call('sirp.template.update', { params: { id: template.id }, body: { query: 'range 1 $template.count$' } })
    await makeDue(api, id, 1_000)
    await tick(api.house)
    expect(await queriesOf(api, id)).toMatchObject([{ query: 'range 1 $template.count$', known: { count: 4 }, templateId: template.id }])
  })

  test.for([['completed', 0], ['failed', 1], ['expired', 1], ['cancelled', 0]] as const)('lets a schedule show that its query is %s', async ([status, failed], { api, call }) => {
    const { id } = await createSchedule(api, { minutes: 5 })
    await makeDue(api, id, 1_000)
    await tick(api.house)
    await endQueries(api, id, status)
    await tick(api.house)
    await tick(api.house)
    expect(await runsOf(api, id)).toMatchObject([{ status: 'fired', queryStatus: status, finishedAt: expect.any(Date) }])
    expect(await call('sirp.schedule.read', { params: { id } })).toMatchObject({ lastStatus: status, runs: { fired: 1, skipped: 0, failed } })
  })

  test('takes a query that was deleted for one that has ended', async ({ api, call }) => {
    const { id } = await createSchedule(api, { minutes: 5 })
    await makeDue(api, id, 1_000)
    await tick(api.house)
    await api.house.db.query.deleteMany({ where: { scheduleId: id } })
    await makeDue(api, id, 500)
    await tick(api.house)
    expect(await runsOf(api, id)).toMatchObject([{ status: 'fired', queryStatus: 'queued' }, { queryStatus: 'deleted' }])
    expect(await call('sirp.schedule.read', { params: { id } })).toMatchObject({ runs: { fired: 2, skipped: 0, failed: 0 } })
  })

  test('does nothing for a schedule that was deleted, whose runs are gone with it', async ({ api, call }) => {
    const { id } = await createSchedule(api, { minutes: 5 })
    await makeDue(api, id, 1_000)
    await tick(api.house)
    await call('sirp.schedule.delete', { params: { id } })
    await tick(api.house)
    expect(await runsOf(api, id)).toEqual([])
    expect(await queriesOf(api, id)).toHaveLength(1)
  })
})
