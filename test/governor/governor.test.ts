import { describe, expect, test } from 'vitest'
import { install, permitted, refused } from '../support/governors.ts'

describe('a governor', () => {
  test('lets as many go as the policy allows, whatever governor is asked, and tells the next one when', async () => {
    const { open } = install({ 'shop.example': { perSecond: 3 } })
    const [a, b] = [open(), open()]
    for (const [index, governor] of [a, b, a].entries()) permitted(await governor.take('shop.example', { id: `h${index}` })).answered()
    const refusal = refused(await b.take('shop.example', { id: 'h3' }))
    expect(refusal).toMatchObject({ domain: 'shop.example', reason: 'limit', position: 0 })
    expect(refusal.waitMs).toBeGreaterThan(500)
    expect(refusal.waitMs).toBeLessThanOrEqual(1_010)
    expect(refusal.nextAt).toBeGreaterThan(Date.now())
  })

  test('counts a policy and the sub-domains that it covers as one, and hosts under the default each by itself', async () => {
    const governor = install({ 'shop.example': { perMinute: 1 } }, { byDefault: '1/1/1' }).open()
    permitted(await governor.take('a.shop.example', { id: '1' }))
    expect(refused(await governor.take('b.shop.example', { id: '2' })).domain).toBe('shop.example')
    for (const host of ['one.example', 'two.example', 'three.two.example']) expect(permitted(await governor.take(host, { id: host })).domain).toBe(host)
    refused(await governor.take('ONE.example.', { id: '3' }))
  })

  test('goes by the longest policy that covers a host', async () => {
    const governor = install({ 'shop.example': { perMinute: 1 }, 'big.shop.example': { perMinute: 2 } }).open()
    permitted(await governor.take('x.big.shop.example', { id: '1' }))
    permitted(await governor.take('big.shop.example', { id: '2' }))
    refused(await governor.take('y.big.shop.example', { id: '3' }))
    permitted(await governor.take('small.shop.example', { id: '4' }))
  })

  test('never lets anything go to a domain with a window of 0, and asks Redis for nothing where there is no limit', async () => {
    const { open, redis, prefix } = install({ 'closed.example': { perSecond: 5, perMinute: 0 }, 'free.example': {} })
    const governor = open()
    expect(refused(await governor.take('closed.example', { id: '1' }))).toMatchObject({ reason: 'blocked', waitMs: null, nextAt: null })
    for (let count = 0; count < 100; count += 1) permitted(await governor.take('free.example', { id: '1' })).sent()
    permitted(await governor.take('unknown.example', { id: '1' }))
    expect(await redis.keys(`${prefix}:*example*`)).toEqual([])
  })

  test('takes a slot in every window or in none', async () => {
    const { open } = install({ 'shop.example': { perSecond: 1, perTenSeconds: 10, perMinute: 60 } })
    const governor = open()
    permitted(await governor.take('shop.example', { id: '1' })).answered()
    for (let count = 0; count < 5; count += 1) refused(await governor.take('shop.example', { id: '2' }))
    const { items } = await governor.view({ offset: 0, limit: 10 })
    expect(items).toMatchObject([{ domain: 'shop.example', counts: { perSecond: 1, perTenSeconds: 1, perMinute: 1 }, waiting: 1, coolDownUntil: null }])
  })

  test('gives a slot back that was not used, and keeps one that was', async () => {
    const governor = install({ 'shop.example': { perMinute: 1 } }).open()
    permitted(await governor.take('shop.example', { id: '1' })).release()
    const permit = permitted(await governor.take('shop.example', { id: '2' }))
    permit.sent()
    permit.release()
    const { waitMs } = refused(await governor.take('shop.example', { id: '3' }, { joins: false }))
    expect(waitMs).toBeGreaterThan(59_000)
  })

  test('throws away a permit that is older than the guard', async () => {
    const governor = install({ 'shop.example': { perMinute: 1 } }).open()
    const permit = permitted(await governor.take('shop.example', { id: '1' }))
    expect(permit.fresh()).toBe(true)
    await expect.poll(() => permit.fresh()).toBe(false)
  })

  test('keeps the slot of a holder that has died until its window has passed', async () => {
    const { open } = install({ 'shop.example': { perSecond: 1 } })
    const dead = open()
    const from = performance.now()
    permitted(await dead.take('shop.example', { id: 'dead' }))
    dead.close()
    const governor = open()
    await expect.poll(async () => (await governor.take('shop.example', { id: 'heir' })).go, { interval: 20, timeout: 10_000 }).toBe(true)
    expect(performance.now() - from).toBeGreaterThan(1_000)
  })

  test('leaves a domain alone that asks for it, with or without limits, in every process', async () => {
    const { open } = install({ 'shop.example': { perSecond: 100 } })
    const [a, b] = [open(), open()]
    permitted(await b.take('free.example', { id: '1' }))
    await a.coolDown('www.shop.example', 30_000)
    await a.coolDown('shop.example', 10)
    await a.coolDown('free.example', 30_000)
    const refusal = refused(await b.take('shop.example', { id: '1' }))
    expect(refusal).toMatchObject({ reason: 'cooling', position: 0 })
    expect(Number(refusal.nextAt) - Date.now()).toBeGreaterThan(25_000)
    await expect.poll(() => b.take('free.example', { id: '1' })).toMatchObject({ go: false, reason: 'cooling' })
    const { items } = await b.view({ offset: 0, limit: 10 })
    expect(items.map(({ domain, coolDownUntil }) => [domain, coolDownUntil !== null])).toEqual([['free.example', true], ['shop.example', true]])
    await a.coolDown('later.example', 300)
    await expect.poll(async () => (await a.take('later.example', { id: '1' })).go).toBe(true)
  })

  test('has a changed policy in force at once, and within a second where no word of it came', async () => {
    const { open, setPolicy } = install({ 'shop.example': { perMinute: 1 } })
    const [a, b] = [open(), open()]
    permitted(await a.take('shop.example', { id: '1' })).answered()
    refused(await b.take('shop.example', { id: '2' }))
    await setPolicy('shop.example', { perMinute: 3 }, { silent: true })
    await expect.poll(async () => (await b.take('shop.example', { id: '2' })).go, { interval: 10, timeout: 1_500 }).toBe(true)
    await expect.poll(async () => (await a.take('shop.example', { id: '3' })).go, { interval: 10, timeout: 1_500 }).toBe(true)
    await setPolicy('shop.example', { perMinute: 2 })
    await expect.poll(async () => (await b.policyFor('shop.example'))?.limits).toEqual({ perMinute: 2 })
    refused(await b.take('shop.example', { id: '4' }))
    await setPolicy('shop.example', { perMinute: 0 })
    await expect.poll(async () => (await a.take('shop.example', { id: '4' })).go || 'no').toBe('no')
    await expect.poll(async () => refused(await a.take('shop.example', { id: '4' })).waitMs).toBe(null)
    await setPolicy('shop.example', null)
    await expect.poll(async () => (await a.take('shop.example', { id: '4' })).go).toBe(true)
  })
})
