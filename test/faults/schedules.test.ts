import { resolve } from 'node:path'
import type pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startPrivatePostgres } from '../../ops/up/privatePostgres.ts'
import { pause } from '../../src/platform/clock.ts'
import { randomText } from '../../src/platform/ids.ts'
import { migrate } from '../../src/platform/migrations.ts'
import { makeTestDir } from '../support/testDir.ts'
import { comeToRest } from './harness/load.ts'
import { Place } from './harness/place.ts'
import { openStand, type Stand } from './harness/stand.ts'
import { inDatabase } from './harness/verdict.ts'

const [almanacCount, scheduleCount, killEveryMs, downMs] = [4, 20, 3_000, 5_000]

/** Makes every schedule due that has been moved on, and notes the slot in the same transaction. */
const makeDueSql = `
  WITH moved AS (
    UPDATE schedules SET next_run_at = now(), anchor_at = now() - minutes * interval '1 minute' WHERE next_run_at > now() RETURNING id, next_run_at)
  INSERT INTO due_slots (schedule_id, slot) SELECT id, next_run_at FROM moved`

/** Slots that were due and have no record, or were not due and have one; then schedules whose counts or queries do not agree with their records. */
const faultsSql = `
  SELECT coalesce(due.schedule_id, run.schedule_id) || ' ' || coalesce(due.slot, run.slot) AS fault
  FROM due_slots AS due FULL JOIN schedule_runs AS run ON run.schedule_id = due.schedule_id AND run.slot = due.slot
  WHERE due.slot IS NULL OR run.slot IS NULL OR run.status = 'failed'
  UNION ALL
  SELECT id || ' counts ' || fired || ' + ' || skipped || ' of ' || slots || ' slots, has ' || queries || ' queries'
  FROM schedules CROSS JOIN LATERAL (
    SELECT count(*) AS slots, count(*) FILTER (WHERE status = 'fired') AS runs FROM schedule_runs WHERE schedule_id = schedules.id) AS seen
  CROSS JOIN LATERAL (SELECT count(*) AS queries FROM queries WHERE schedule_id = schedules.id AND status = 'completed') AS made
  WHERE fired <> runs OR fired + skipped <> slots OR queries <> runs OR failed <> 0`

describe('four almanacs of which one is killed every three seconds', () => {
  test('run each slot at most once and leave none without a record, also while Redis and then PostgreSQL are away', { timeout: 240_000 }, async () => {
    const dir = await makeTestDir()
    let postgres = await startPrivatePostgres({ dir })
    onTestFinished(() => postgres.stop())
    await migrate(postgres.url, resolve('prisma/migrations'))
    const shared = { MASTER_KEY: randomText(32), REDIS_PREFIX: `t${randomText(6)}` }
    const stand = await openStand({ apis: 1, workers: 1, databaseUrl: postgres.url, settings: shared })
    for (let index = 1; index <= scheduleCount; index += 1) {
      await stand.call('sirp.schedule.create', { body: { query: `range ${index}`, minutes: 30 + index } })
    }
    const inOurs = <Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> => inDatabase(postgres.url, work)
    await inOurs((client) => client.query('CREATE TABLE due_slots (schedule_id text, slot timestamptz(3))'))
    const almanacs = await startAlmanacs(stand, shared)

    const over = new AbortController()
    const [killing, making] = [killInTurn(almanacs, over.signal), makeDueAgain(inOurs, over.signal)]
    await pause(2 * killEveryMs)
    await stand.redis.kill()
    await pause(downMs)
    await stand.restartRedis()
    await pause(killEveryMs)
    await postgres.kill()
    await pause(downMs)
    postgres = await startPrivatePostgres({ dir, port: postgres.port })
    await pause(2 * killEveryMs)
    over.abort()
    await Promise.all([killing, making])

    const count = async (sql: string): Promise<number> => (await inOurs((client) => client.query<{ count: number }>(sql))).rows[0]?.count ?? Number.NaN
    const becomesNone = async (from: string): Promise<void> => {
      await expect.poll(() => count(`SELECT count(*)::integer FROM ${from}`), { timeout: 60_000, interval: 500 }).toBe(0)
    }
    await becomesNone('schedules WHERE next_run_at <= now()')
    await comeToRest(stand)
    await becomesNone("schedule_runs WHERE query_status IN ('queued', 'running')")
    expect((await inOurs((client) => client.query<{ fault: string }>(faultsSql))).rows).toEqual([])
    expect(await count('SELECT count(*)::integer FROM due_slots')).toBeGreaterThan(3 * scheduleCount)
    expect(await count("SELECT count(*)::integer FROM schedule_runs WHERE status = 'fired'")).toBeGreaterThan(2 * scheduleCount)
  })
})

async function startAlmanacs({ databaseUrl, redis, dir }: Stand, shared: Readonly<Record<string, string>>): Promise<Place[]> {
  const settings = { ...shared, DATABASE_URL: databaseUrl, REDIS_URL: redis.url, DATABASE_POOL: '3', DATA_DIR: dir }
  const almanacs = Array.from({ length: almanacCount }, () => new Place('workers/almanac.js', settings, 'serving'))
  await Promise.all(almanacs.map((almanac) => almanac.start()))
  return almanacs
}

/** Kills one almanac after the other, and starts each anew; one that still waits for a server is killed when it has started. */
async function killInTurn(almanacs: readonly Place[], signal: AbortSignal): Promise<void> {
  const starting: Promise<void>[] = []
  for (let turn = 0; ; turn += 1) {
    await Promise.all([pause(killEveryMs, signal), starting[turn - almanacs.length]])
    if (signal.aborted) break
    const almanac = almanacs[turn % almanacs.length]
    await almanac?.kill()
    starting.push(almanac?.start() ?? Promise.resolve())
  }
  await Promise.all(starting)
}

/** Slots come much faster than once a minute; while PostgreSQL is away there are none. */
async function makeDueAgain(inOurs: (work: (client: pg.Client) => Promise<unknown>) => Promise<unknown>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await inOurs((client) => client.query(makeDueSql)).catch(() => undefined)
    await pause(1_500, signal)
  }
}
