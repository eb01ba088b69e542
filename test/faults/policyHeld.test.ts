import { describe, expect, test } from 'vitest'
import { mostWithin } from '../../ops/bench/observer.ts'
import type { Limits } from '../../src/governor/cover.ts'
import { simulate } from '../../src/governor/simulate.ts'
import { windowMs, windowNames } from '../../src/governor/windows.ts'
import { pause } from '../../src/platform/clock.ts'
import { createPolicies, openTimedSite } from './harness/limitedSite.ts'
import { comeToRest, Load } from './harness/load.ts'
import { complaintsOf, openStand, type Stand } from './harness/stand.ts'
import { statesOf } from './harness/verdict.ts'

const policy = { perSecond: 5, perTenSeconds: 40, perMinute: 200 }
const changed = { perSecond: 3, perTenSeconds: 25, perMinute: 150 }
const dispatches = 300

/** The greatest counts of hits in any window, beside what is allowed. */
const above = (hits: readonly number[], limits: Limits): string[] =>
  windowNames.filter((window) => mostWithin(hits, windowMs[window]) > (limits[window] ?? Infinity)).map((window) => `${window}: ${mostWithin(hits, windowMs[window])}`)

/** The part of what the policy allows that was used from the first to the last of these hits. */
function useOf(hits: readonly number[], limits: Limits): number {
  const spanMs = Math.max(...hits) - Math.min(...hits)
  let allowed = 1
  while ((simulate(limits, allowed + 1) ?? Infinity) <= spanMs) allowed += 1
  return hits.length / allowed
}

describe('a policy with four workers', () => {
  test('is never exceeded and well used while workers stop and die, Redis is killed and the policy changes', { timeout: 300_000 }, async () => {
    const stand = await openStand({ apis: 1, workers: 4 })
    const site = await openTimedSite('127.0.0.2')
    const [id = ''] = await createPolicies(stand.call, [site.origin], policy)
    const load = new Load(stand)
    const tasks = Array.from({ length: dispatches }, (_, n) => ({ name: `held-${n}`, query: `api get ${site.origin}/${n}`, rows: [], paths: [], frozen: [] }))
    const dispatching = load.dispatchAll(tasks)
    await hasHits(site.hits, 25)
    await troubleWorkers(stand)
    await hasHits(site.hits, 200)
    const untilLost = site.hits.length
    await stand.redis.kill()
    await pause(2_000)
    await stand.restartRedis()
    await dispatching
    await hasHits(site.hits, 230)
    await stand.call('gonogo.policy.update', { params: { id }, body: { name: 'stricter', domain: '127.0.0.2', policy: changed } })
    const inForceAt = performance.now() + 1_000
    await comeToRest(stand, 120_000)

    expect(above(site.hits, policy)).toEqual([])
    expect(above(site.hits.filter((hit) => hit > inForceAt), changed)).toEqual([])
    expect(useOf(site.hits.slice(0, untilLost), policy)).toBeGreaterThanOrEqual(0.8)
    const states = (await statesOf(stand.databaseUrl)).map(({ status }) => status)
    expect([states.length, [...new Set(states)]], complaintsOf(stand)).toEqual([dispatches, ['completed']])
    expect(site.hits.length - dispatches).toBeLessThanOrEqual(5) // a request may be repeated once for the death of its worker
  })
})

describe('a changed policy', () => {
  test('is in force in every process within a second', { timeout: 90_000 }, async () => {
    const stand = await openStand({ apis: 2, workers: 2 })
    const site = await openTimedSite('127.0.0.2')
    const [id = ''] = await createPolicies(stand.call, [site.origin], {})
    const change = async (limits: Limits) => {
      await stand.call('gonogo.policy.update', { params: { id }, body: { name: 'changing', domain: '127.0.0.2', policy: limits } })
      return performance.now() + 1_000
    }
    const over = new AbortController()
    const load = new Load(stand)
    const task = (n: number) => ({ name: `change-${n}`, query: `api get ${site.origin}/${n} --onError skip`, rows: [], paths: [], frozen: [] })
    const sending = (async () => {
      for (let n = 0; !over.signal.aborted; n += 4) await Promise.all([n, n + 1, n + 2, n + 3].map((at) => load.dispatch(task(at))))
    })()
    const since = (from: number, to = Infinity) => site.hits.filter((hit) => hit > from && hit < to).length
    await hasHits(site.hits, 40)
    for (let times = 0; times < 3; times += 1) {
      const closedAt = await change({ perSecond: 0 })
      await pause(2_500)
      const openAt = await change({})
      expect(since(closedAt, openAt - 1_000)).toBe(0)
      await expect.poll(() => since(openAt - 1_000), { timeout: 5_000, interval: 20 }).toBeGreaterThan(4)
    }
    over.abort()
    await sending
  })
})

async function hasHits(hits: readonly number[], count: number): Promise<void> {
  await expect.poll(() => hits.length, { timeout: 150_000, interval: 100 }).toBeGreaterThanOrEqual(count)
}

/** Stops one worker for a while, and has another die and come back. */
async function troubleWorkers({ workers: [stopped, killed] }: Stand): Promise<void> {
  stopped?.process.signal('SIGSTOP')
  await pause(12_000)
  stopped?.process.signal('SIGCONT')
  await killed?.kill()
  await pause(3_000)
  await killed?.start()
}
