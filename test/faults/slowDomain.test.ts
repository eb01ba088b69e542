import { describe, expect, test } from 'vitest'
import type { Call } from '../../src/client/index.ts'
import { createPolicies, openTimedSite } from './harness/limitedSite.ts'
import { Place } from './harness/place.ts'
import { openStand, type Stand } from './harness/stand.ts'
import { inDatabase } from './harness/verdict.ts'

/** One request a minute: all but the first wait. */
const slow = { perMinute: 1 }
const waiters = 500
const rounds = 2

/** Does something many times, some at once. */
async function eachOf(count: number, atOnce: number, work: (n: number) => Promise<unknown>): Promise<void> {
  const rest = Array.from({ length: count }, (_, n) => n)
  const take = async (): Promise<void> => {
    for (let n = rest.shift(); n !== undefined; n = rest.shift()) await work(n)
  }
  await Promise.all(Array.from({ length: atOnce }, take))
}

/** Milliseconds that a hundred queries to another domain take. */
async function hundred({ call, site }: Stand, name: string): Promise<number> {
  const startedAt = performance.now()
  await eachOf(100, 10, (n) => call('sirp.query.dispatchWait', { body: { query: `api get ${site.origin}/${name}-${n}` } }))
  return performance.now() - startedAt
}

/** Starts queries that wait; answers their ids once all of them do. */
async function startWaiters({ call, databaseUrl }: Stand, queries: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  await eachOf(queries.length, 20, async (n) => ids.push((await call('sirp.query.dispatch', { body: { query: queries[n] ?? '' } })).id))
  const text = "SELECT count(*)::integer AS waiting FROM queries WHERE id = ANY($1::uuid[]) AND (waiting IS NOT NULL OR status = 'completed')"
  const waiting = () => inDatabase(databaseUrl, async (client) => (await client.query<{ waiting: number }>(text, [ids])).rows[0]?.waiting)
  await expect.poll(waiting, { timeout: 90_000, interval: 500 }).toBe(queries.length)
  return ids
}

const endAll = (call: Call, ids: readonly string[]) =>
  eachOf(ids.length, 20, (n) => call('sirp.query.cancel', { params: { id: ids[n] ?? '' } }).catch(() => undefined)) // the first has ended

/** How often a worker has taken up what waits. */
const looks = ({ databaseUrl }: Stand): Promise<number> =>
  inDatabase(databaseUrl, async (client) => (await client.query<{ looks: number }>('SELECT coalesce(sum(job_no), 0)::integer AS looks FROM query_units')).rows[0]?.looks ?? 0)

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

describe('five hundred jobs that wait for a slow domain', () => {
  test('hardly slow a hundred jobs for another one', { timeout: 300_000 }, async () => {
    const stand = await openStand({ apis: 1, workers: 1 })
    const origins = [await openTimedSite('127.0.0.2'), await openTimedSite('127.0.0.3'), await openTimedSite('127.0.0.4')].map(({ origin }) => origin)
    await createPolicies(stand.call, origins, slow)
    await hundred(stand, 'first')
    await hundred(stand, 'second')
    const ratios: number[] = []
    // Whatever else the machine does makes one side look slower now and then, never both of them faster.
    for (const [at, origin] of origins.entries()) {
      ratios.push(await compare(stand, origin, at))
      if ((ratios.at(-1) ?? 0) <= 1.2) break
    }
    expect(Math.min(...ratios), ratios.join(' ')).toBeLessThanOrEqual(1.2)
  })

  test('are hardly looked at before their turn, as many queries, as one query and for a browser', { timeout: 180_000 }, async () => {
    const stand = await openStand({ apis: 1, workers: 1 })
    const browser = new Place('workers/browser.js', stand.settings, 'serving')
    await browser.start()
    const [asQueries = '', asRows = '', asPages = ''] = [await openTimedSite('127.0.0.2'), await openTimedSite('127.0.0.3'), await openTimedSite('127.0.0.4')].map(({ origin }) => origin)
    await createPolicies(stand.call, [asQueries, asRows, asPages], slow)
    await startWaiters(stand, Array.from({ length: waiters }, (_, n) => `api get ${asQueries}/${n}`))
    await startWaiters(stand, [`range ${waiters} || api get ${asRows}/$n$`])
    await startWaiters(stand, Array.from({ length: waiters }, (_, n) => `open ${asPages}/${n}`))
    const before = await looks(stand)
    const startedAt = performance.now()
    await hundred(stand, 'beside')
    await expect.poll(() => performance.now() - startedAt, { timeout: 40_000, interval: 500 }).toBeGreaterThan(15_000)
    const perSecond = ((await looks(stand)) - before) / ((performance.now() - startedAt) / 1_000)
    expect(perSecond).toBeLessThan(20)
  })
})

/** How much longer a hundred queries take beside those that wait. */
async function compare(stand: Stand, origin: string, at: number): Promise<number> {
  const alone: number[] = []
  const beside: number[] = []
  for (let round = 0; round < rounds; round += 1) alone.push(await hundred(stand, `alone-${at}-${round}`))
  const ids = await startWaiters(stand, Array.from({ length: waiters }, (_, n) => `api get ${origin}/${n}`))
  for (let round = 0; round < rounds; round += 1) beside.push(await hundred(stand, `beside-${at}-${round}`))
  await endAll(stand.call, ids)
  for (let round = 0; round < rounds; round += 1) alone.push(await hundred(stand, `again-${at}-${round}`))
  return median(beside) / median(alone)
}
