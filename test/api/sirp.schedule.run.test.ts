import { describe, expect } from 'vitest'
import { test } from '../support/engine.ts'
import { limitedKey } from '../support/limitedKey.ts'
import { expectProblem } from '../support/problems.ts'
import { createSchedule, runsOf } from '../support/schedules.ts'

const id = 'sirp.schedule.run'

describe(id, () => {
  test('starts the query at once, outside the slots, and answers 202 with it', async ({ api, sendAs, call }) => {
    const before = await createSchedule(api, { minutes: 5, metadata: { why: 'trial' }, ttl: 600 })
    const response = await sendAs(api.adminKey, id, { params: { id: before.id } })
    const started = (await response.json()) as { id: string; status: string }
    expect(response.status).toBe(202)
    expect(response.headers.get('location')).toBe(`/v1/sirp/query/${started.id}`)
    expect(started).toMatchObject({ status: 'queued', links: { self: `/v1/sirp/query/${started.id}` } })
    expect(await call('sirp.query.read', { params: { id: started.id } })).toMatchObject({ scheduleId: before.id, query: 'range 3', metadata: { why: 'trial' }, ttl: 600 })
    const after = await call('sirp.schedule.read', { params: { id: before.id } })
    expect(after).toMatchObject({ nextRunAt: before.nextRunAt, lastQueryId: started.id, runs: { fired: 1, skipped: 0, failed: 0 }, version: 1 })
    expect(await runsOf(api, before.id)).toMatchObject([{ slot: null, status: 'fired', queryId: started.id }])
  })

  test('holds the answer until the query has ended where the client prefers that', async ({ api, sendAs }) => {
    const { id: schedule } = await createSchedule(api, { query: 'range $template.count$', values: { count: 2 } })
    const response = await sendAs(api.adminKey, id, { params: { id: schedule }, headers: { Prefer: 'wait=15' } })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ status: 'completed', total: 2, results: [{ content: { n: 0 } }, { content: { n: 1 } }] })
  })

  test('runs a disabled schedule too, and leaves it disabled', async ({ api, call }) => {
    const { id: schedule } = await createSchedule(api)
    await call('sirp.schedule.disable', { params: { id: schedule } })
    await call(id, { params: { id: schedule } })
    expect(await call('sirp.schedule.read', { params: { id: schedule } })).toMatchObject({ enabled: false, nextRunAt: null, runs: { fired: 1 } })
  })

  test('starts one query for ten requests with one Idempotency-Key', async ({ api, sendAs }) => {
    const { id: schedule } = await createSchedule(api)
    const send = async () => {
      const response = await sendAs(api.adminKey, id, { params: { id: schedule }, headers: { 'Idempotency-Key': 'run once' } })
      return response.status === 409 ? 'busy' : ((await response.json()) as { id: string }).id
    }
    const ids = new Set(await Promise.all(Array.from({ length: 10 }, send)))
    ids.delete('busy')
    expect(ids.size).toBe(1)
    expect(await runsOf(api, schedule)).toHaveLength(1)
  })

  test('answers not_found for an id that nothing has', async ({ api, sendAs }) => {
    await expectProblem(await sendAs(api.adminKey, id, { params: { id: 'nobody' } }), 'not_found')
  })

  test('answers query_syntax where the query cannot be run any more, and starts nothing', async ({ api, sendAs }) => {
    const { id: schedule } = await createSchedule(api)
    await api.house.db.schedule.update({ where: { id: schedule }, data: { query: 'forgotten 3' } })
    await expectProblem(await sendAs(api.adminKey, id, { params: { id: schedule } }), 'query_syntax')
    expect(await runsOf(api, schedule)).toEqual([])
  })

  test('refuses a schedule that another instance runs', async ({ api, sendAs }) => {
    const { id: schedule } = await createSchedule(api, { sirpURL: 'https://queries.example/' })
    await expectProblem(await sendAs(api.adminKey, id, { params: { id: schedule } }), 'unprocessable')
  })

  test('needs the scope schedules:write', async ({ api, sendAs }) => {
    const { id: schedule } = await createSchedule(api)
    await expectProblem(await sendAs(await limitedKey(api, 'schedules:read', 'queries:write'), id, { params: { id: schedule } }), 'forbidden')
  })
})
