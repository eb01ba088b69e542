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
