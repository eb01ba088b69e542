import { describe, expect, onTestFinished } from 'vitest'
import { createClient, type Call } from '../../../src/client/index.ts'
import { startEngine, test } from '../../support/engine.ts'
import { openTarget, type Answering, type Target } from '../../support/target.ts'

/** When each request came, in milliseconds. */
async function timedTarget(answer: (count: number) => Answering = () => ({ body: { ok: true } })): Promise<Target & { readonly times: number[] }> {
  const times: number[] = []
  const target = await openTarget((_hit, count) => {
    times.push(Date.now())
    return answer(count)
  })
  onTestFinished(() => target[Symbol.asyncDispose]())
  return Object.assign(target, { times })
}

/** A policy for the loopback host, which every target of this file is on. */
async function limit(call: Call, policy: Record<string, number>): Promise<void> {
  const { id } = await call('gonogo.policy.create', { body: { name: 'loopback', domain: '127.0.0.1', policy } })
  onTestFinished(async () => {
    await call('gonogo.policy.delete', { params: { id } })
  })
}

/** The greatest number of times that lie within any window of this length. */
function greatest(times: readonly number[], windowMs: number): number {
  return Math.max(0, ...times.map((from) => times.filter((time) => time >= from && time < from + windowMs).length))
}

describe('a query to a domain with a policy', () => {
  test('sends no more than the policy allows, keeps its order, and shows what it waits for', { timeout: 60_000 }, async ({ call }) => {
    await limit(call, { perSecond: 4 })
    const target = await timedTarget()
    const { id } = await call('sirp.query.dispatch', { body: { query: `range 14 || api get ${target.url}/$n$ --enrich || table n` } })
    await expect.poll(async () => (await call('sirp.query.status', { params: { id } })).waiting, { timeout: 20_000, interval: 20 }).toMatchObject({ domain: '127.0.0.1' })
    await expect.poll(async () => (await call('sirp.query.status', { params: { id } })).status, { timeout: 40_000 }).toBe('completed')
    expect(greatest(target.times, 1_000)).toBeLessThanOrEqual(4)
    expect(target.hits).toHaveLength(14)
    const { results } = await call('sirp.query.results', { params: { id }, query: { mode: 'rows' } })
    expect(results).toEqual(Array.from({ length: 14 }, (_, n) => ({ n })))
  })

  test('fails with policy_blocked where the policy allows nothing', { timeout: 30_000 }, async ({ call }) => {
    await limit(call, { perSecond: 0 })
    const target = await timedTarget()
    const waited = await call('sirp.query.dispatchWait', { body: { query: `api get ${target.url}` } })
    expect(waited).toMatchObject({ status: 'failed', error: { code: 'policy_blocked' } })
    expect(target.hits).toHaveLength(0)
  })

  test('leaves a domain alone for as long as it asks to be', { timeout: 60_000 }, async ({ call }) => {
    const target = await timedTarget((count) => (count === 1 ? { status: 429, headers: { 'retry-after': '2' } } : { body: { ok: true } }))
    await call('sirp.query.dispatchWait', { body: { query: `api get ${target.url}/first --cache false` } })
    const again = await call('sirp.query.dispatchWait', { body: { query: `api get ${target.url}/second --cache false` } })
    expect(again.status).toBe('completed')
    expect((target.times[1] ?? 0) - (target.times[0] ?? 0)).toBeGreaterThanOrEqual(1_950)
  })

  test('shows since when it waits, how many stand before it and when its turn is expected', { timeout: 40_000 }, async ({ call }) => {
    await limit(call, { perMinute: 1 })
    const target = await timedTarget()
    const startedAt = Date.now()
    const ids: string[] = []
    for (const path of ['sent', 'next', 'last']) {
      const { id } = await call('sirp.query.dispatch', { body: { query: `api get ${target.url}/${path}` } })
      const isOut = async () => {
        const { status, waiting } = await call('sirp.query.status', { params: { id } })
        return waiting !== undefined || status === 'completed'
      }
      await expect.poll(isOut, { timeout: 20_000 }).toBe(true)
      ids.push(id)
    }
    const [, next, last] = await Promise.all(ids.map(async (id) => (await call('sirp.query.read', { params: { id } })).waiting))
    expect([next, last]).toMatchObject([{ domain: '127.0.0.1', position: 0 }, { domain: '127.0.0.1', position: 1 }])
    for (const [waiting, turns] of [[next, 1], [last, 2]] as const) {
      expect(Date.parse(waiting?.since ?? '')).toBeGreaterThanOrEqual(startedAt)
      expect(Date.parse(waiting?.nextAt ?? '') - startedAt).toBeGreaterThan(turns * 60_000 - 1_000)
      expect(Date.parse(waiting?.nextAt ?? '') - startedAt).toBeLessThan(turns * 60_000 + 30_000)
    }
    await call('sirp.query.cancel', { params: { id: ids[1] ?? '' } })
    const { id } = await call('sirp.query.dispatch', { body: { query: `api get ${target.url}/behind` } })
    await expect.poll(async () => (await call('sirp.query.status', { params: { id } })).waiting, { timeout: 20_000 }).toMatchObject({ position: 1 })
    for (const waiter of [ids[2] ?? '', id]) await call('sirp.query.cancel', { params: { id: waiter } })
    await expect.poll(async () => (await call('gonogo.domain.list')).items[0]?.waiting, { timeout: 10_000 }).toBe(0)
  })

  test('expires when its minutes end while it waits', { timeout: 40_000 }, async ({ api, call }) => {
    await limit(call, { perMinute: 1 })
    const target = await timedTarget()
    const { id } = await call('sirp.query.dispatch', { body: { query: `range 3 || api get ${target.url}/$n$`, minutes: 1 } })
    await expect.poll(async () => (await call('sirp.query.status', { params: { id } })).waiting, { timeout: 20_000 }).toBeDefined()
    await api.house.pool.query("UPDATE queries SET deadline_at = now() + interval '1 second' WHERE id = $1", [id])
    await expect.poll(async () => (await call('sirp.query.status', { params: { id } })).status, { timeout: 10_000 }).toBe('expired')
    const ended = await call('sirp.query.status', { params: { id } })
    expect(ended).toMatchObject({ error: { code: 'deadline_exceeded' } })
    expect(ended.waiting).toBeUndefined()
  })

  test('goes on within moments when the policy lets more through, or is gone', { timeout: 60_000 }, async ({ call }) => {
    const target = await timedTarget()
    const { id: policyId } = await call('gonogo.policy.create', { body: { name: 'strict', domain: '127.0.0.1', policy: { perMinute: 1 } } })
    const waitingQueries = async (name: string) => {
      const started = await Promise.all(Array.from({ length: 5 }, (_, n) => call('sirp.query.dispatch', { body: { query: `api get ${target.url}/${name}-${n}` } })))
      const states = async () => Promise.all(started.map(async ({ id }) => (await call('sirp.query.status', { params: { id } }))))
      await expect.poll(async () => (await states()).filter(({ waiting }) => waiting !== undefined).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(4)
      return async () => [...new Set((await states()).map(({ status }) => status))]
    }
    const soon = { timeout: 10_000, interval: 50 } // by themselves they look after twenty
    const first = await waitingQueries('first')
    await call('gonogo.policy.update', { params: { id: policyId }, body: { name: 'wide', domain: '127.0.0.1', policy: { perMinute: 6 } } })
    await expect.poll(first, soon).toEqual(['completed'])
    const second = await waitingQueries('second')
    await call('gonogo.policy.delete', { params: { id: policyId } })
    await expect.poll(second, soon).toEqual(['completed'])
  })

  test('is cancelled while it waits', { timeout: 30_000 }, async ({ call }) => {
    await limit(call, { perMinute: 1 })
    const target = await timedTarget()
    const { id } = await call('sirp.query.dispatch', { body: { query: `range 5 || api get ${target.url}/$n$` } })
    await expect.poll(async () => (await call('sirp.query.status', { params: { id } })).waiting, { timeout: 20_000 }).toBeDefined()
    expect(await call('sirp.query.cancel', { params: { id } })).toMatchObject({ status: 'cancelled' })
    expect((await call('sirp.query.status', { params: { id } })).waiting).toBeUndefined()
  })
})

describe('a query whose later pages must wait', () => {
  /** Every page names the next. */
  const openPages = () => timedTarget((count) => ({ body: { page: count, next: `/${count + 1}` } }))

  test('holds no slot of its process meanwhile, shows what it waits for, and is cancelled', { timeout: 60_000 }, async () => {
    const engine = await startEngine({ QUERY_CONCURRENCY: '1' })
    onTestFinished(() => engine.close())
    const call = createClient({ baseUrl: engine.url, apiKey: engine.adminKey })
    await call('gonogo.policy.create', { body: { name: 'loopback', domain: '127.0.0.1', policy: { perMinute: 2 } } })
    const target = await openPages()
    const { id } = await call('sirp.query.dispatch', { body: { query: `api get ${target.url}/1 --paginate next --pages 5` } })
    await expect.poll(async () => (await call('sirp.query.status', { params: { id } })).waiting, { timeout: 20_000 }).toMatchObject({ domain: '127.0.0.1' })
    expect(target.hits).toHaveLength(2)
    expect((await call('sirp.query.dispatchWait', { body: { query: 'range 3' } })).status).toBe('completed')
    expect(await call('sirp.query.cancel', { params: { id } })).toMatchObject({ status: 'cancelled' })
    expect((await call('sirp.query.dispatchWait', { body: { query: 'range 4' } })).status).toBe('completed')
  })

  test('does not run out of its time by waiting', { timeout: 60_000 }, async ({ call }) => {
    await limit(call, { perSecond: 1 })
    const target = await openPages()
    const waited = await call('sirp.query.dispatchWait', { body: { query: `api get ${target.url}/1 --paginate next --pages 4 --timeout 1500 || table page` } })
    expect(waited).toMatchObject({ status: 'completed', total: 4 })
    expect(greatest(target.times, 1_000)).toBe(1)
  })

  test('neither does one that pauses between its pages', { timeout: 60_000 }, async ({ call }) => {
    const target = await openPages()
    const waited = await call('sirp.query.dispatchWait', { body: { query: `api get ${target.url}/1 --paginate next --pages 3 --delay 1200 --timeout 1000 || table page` } })
    expect(waited).toMatchObject({ status: 'completed', total: 3 })
  })
})
