import { describe, expect, onTestFinished } from 'vitest'
import { createClient } from '../../../src/client/index.ts'
import { EgressGuard } from '../../../src/platform/egress/guard.ts'
import { openTransport } from '../../../src/platform/egress/transport.ts'
import { newId } from '../../../src/platform/ids.ts'
import { tick } from '../../../src/services/almanac/tick.ts'
import { lookAtRemote } from '../../../workers/almanac/following.ts'
import { test, type RunningApi } from '../../support/api.ts'
import { createSchedule, makeDue, runsOf } from '../../support/schedules.ts'
import { openTarget, type Answering } from '../../support/target.ts'

/** A schedule whose last run another instance has taken, and that instance. */
async function dispatched(api: RunningApi, fields: object = {}) {
  let answer: Answering = { body: { status: 'running' } }
  const target = await openTarget(() => answer)
  onTestFinished(() => target[Symbol.asyncDispose]())
  const { house } = api
  const config = { credential: { name: new URL(target.url).host }, credentials: { custom: { value: 'their-key' } } }
  await createClient({ baseUrl: api.url, apiKey: api.adminKey })('secrets.credential.create', { body: { type: 'custom', config } })
  const { id } = await createSchedule(api, { minutes: 5, sirpURL: `${target.url}/under/`, ...fields })
  await makeDue(api, id, 1_000)
  await tick(house)
  const [run] = await runsOf(api, id)
  const [runId, queryId] = [run?.id ?? '', newId()]
  await house.pool.query(
    `UPDATE schedule_runs SET query_id = $2, query_status = 'dispatched', sirp_url = $3, look_at = now() WHERE id = $1`,
    [runId, queryId, `${target.url}/under/`],
  )
  const transport = openTransport(new EgressGuard(['127.0.0.0/8']), { maxBytes: 65_536 })
  onTestFinished(() => transport.close())
  return {
    id,
    queryId,
    target,
    /** Lets the instance answer this, and asks it as an almanac process would when the time has come. */
    async look(next: Answering): Promise<void> {
      answer = next
      await house.pool.query('UPDATE schedule_runs SET look_at = now() WHERE id = $1 AND look_at IS NOT NULL', [runId])
      await lookAtRemote(house, transport, AbortSignal.timeout(15_000))
    },
    /** Lets a run be as old as this, and as long without a word of its instance. */
    async age(hours: number, silentHours: number): Promise<void> {
      const sql = `UPDATE schedule_runs SET created_at = now() - $2 * interval '1 hour', updated_at = now() - $3 * interval '1 hour' WHERE id = $1`
      await house.pool.query(sql, [runId, hours, silentHours])
    },
    run: async () => (await runsOf(api, id)).find((one) => one.id === runId),
  }
}

describe('a run that another instance does', () => {
  test('shows the states of the query there, and ends when it ends', async ({ api, call }) => {
    const { id, queryId, target, look, run } = await dispatched(api)
    await look({ body: { status: 'running' } })
    expect(target.hits).toMatchObject([{ method: 'GET', url: `/under/v1/sirp/query/${queryId}/status`, headers: { authorization: 'svc their-key' } }])
    expect(await run()).toMatchObject({ status: 'fired', queryStatus: 'running', finishedAt: null })
    expect(await call('sirp.schedule.read', { params: { id } })).toMatchObject({ lastStatus: 'running', runs: { fired: 1, failed: 0 } })
    await look({ body: { status: 'completed' } })
    expect(await run()).toMatchObject({ status: 'fired', queryStatus: 'completed', finishedAt: expect.any(Date) as Date, lookAt: null })
    expect(await call('sirp.schedule.read', { params: { id } })).toMatchObject({ lastStatus: 'completed', runs: { fired: 1, failed: 0 } })
    await look({ body: { status: 'failed' } })
    expect(target.hits).toHaveLength(2)
  })

  test.for<[what: string, answer: Answering, status: string, failed: number]>([
    ['has failed', { body: { status: 'failed' } }, 'failed', 1],
    ['ran out of time', { body: { status: 'expired' } }, 'expired', 1],
    ['was cancelled', { body: { status: 'cancelled' } }, 'cancelled', 0],
    ['is gone', { status: 404, body: { code: 'not_found' } }, 'deleted', 0],
  ])('ends when its query %s', async ([, answer, queryStatus, failed], { api, call }) => {
    const { id, look, run } = await dispatched(api)
    await look(answer)
    expect(await run()).toMatchObject({ queryStatus, finishedAt: expect.any(Date) as Date })
    expect(await call('sirp.schedule.read', { params: { id } })).toMatchObject({ lastStatus: queryStatus, runs: { fired: 1, failed } })
  })

  test('stays open while the instance answers nothing of use, and is given up after an hour of that', async ({ api, call }) => {
    const { id, look, run, age } = await dispatched(api)
    for (const answer of [{ status: 503 }, { status: 401, body: { code: 'unauthorized' } }, { status: 404, body: 'no such page' }, { body: { status: 'elated' } }, { body: '[' }]) {
      await look(answer)
      expect(await run()).toMatchObject({ queryStatus: 'dispatched', finishedAt: null })
    }
    await age(2, 0.9)
    await tick(api.house)
    expect(await run()).toMatchObject({ finishedAt: null })
    await age(2, 1.1)
    await tick(api.house)
    expect(await run()).toMatchObject({ queryStatus: 'lost', finishedAt: expect.any(Date) as Date, reason: expect.stringContaining('Nothing was heard') as string })
    expect((await call('sirp.schedule.read', { params: { id } })).runs).toMatchObject({ fired: 1, failed: 1 })
  })

  test('is given up after a day and an hour, however often the instance says that it goes on', async ({ api }) => {
    const { run, age } = await dispatched(api)
    await age(25.1, 0)
    await tick(api.house)
    expect(await run()).toMatchObject({ queryStatus: 'lost' })
  })

  test('keeps the next slot from running, or not, as its schedule says', async ({ api }) => {
    for (const [overlap, expected] of [['skip', 'skipped'], ['queue', 'fired']] as const) {
      const { id } = await dispatched(api, { overlap })
      await makeDue(api, id, 500)
      await tick(api.house)
      expect((await runsOf(api, id))[0]?.status).toBe(expected)
    }
  })

  test('lets the next slot run once it has ended', async ({ api }) => {
    const { id, look } = await dispatched(api)
    await look({ body: { status: 'cancelled' } })
    await makeDue(api, id, 500)
    await tick(api.house)
    expect((await runsOf(api, id)).map(({ status }) => status)).toEqual(['fired', 'fired'])
  })

  test('is asked for more and more seldom, at least once a minute', async ({ api }) => {
    const { run, age, look } = await dispatched(api)
    const pauseMs = async () => ((await run())?.lookAt?.getTime() ?? 0) - Date.now()
    await look({ body: { status: 'running' } })
    expect(await pauseMs()).toBeLessThan(2_000)
    await age(0.1, 0)
    await look({ body: { status: 'running' } })
    expect(await pauseMs()).toBeGreaterThan(25_000)
    await age(20, 0)
    await look({ body: { status: 'running' } })
    expect(await pauseMs()).toBeGreaterThan(50_000)
    expect(await pauseMs()).toBeLessThan(60_001)
  })
})
