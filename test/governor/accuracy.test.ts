import { setMaxListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { mostWithin } from '../../ops/bench/observer.ts'
import { sendWhenAllowed } from '../../ops/bench/politeSender.ts'
import type { Governor } from '../../src/governor/governor.ts'
import { install } from '../support/governors.ts'
import { observe } from '../support/observer.ts'

describe('what the target sees', () => {
  test('is never more than the policy in any window, and nearly all that it allows', { timeout: 60_000 }, async () => {
    const { open } = install({ 'shop.example': { perSecond: 5, perTenSeconds: 30, perMinute: 200 } })
    const target = await observe()
    const governors = [open(), open(), open()]
    const send = (governor: Governor, id: string) => sendWhenAllowed(governor, 'shop.example', id, `${target.url}/`)
    const jobs = governors.flatMap((governor, g) => Array.from({ length: 25 }, (_, j) => send(governor, `${g}-${j}`)))
    await Promise.all(jobs)
    const hits = target.hits()
    expect(hits).toHaveLength(75)
    expect(mostWithin(hits, 1_000)).toBeLessThanOrEqual(5)
    expect(mostWithin(hits, 10_000)).toBeLessThanOrEqual(30)
    // 30 go in the first ten seconds, 30 in the next, and the last 15 within two seconds after that.
    const tookMs = Math.max(...hits) - Math.min(...hits)
    expect(tookMs).toBeGreaterThan(22_000)
    expect(22_000 / tookMs).toBeGreaterThan(0.8)
  })

  test('is the whole of a window of one second, second by second', { timeout: 30_000 }, async () => {
    const { open } = install({}, { byDefault: '2/100/1000' })
    const target = await observe()
    const send = (governor: Governor, id: string) => sendWhenAllowed(governor, 'shop.example', id, `${target.url}/`)
    const [a, b] = [open(), open()]
    await Promise.all(Array.from({ length: 21 }, (_, j) => send(j % 2 === 0 ? a : b, `${j}`)))
    const hits = target.hits()
    expect(mostWithin(hits, 1_000)).toBe(2)
    expect(10_000 / (Math.max(...hits) - Math.min(...hits))).toBeGreaterThan(0.8)
  })

  test('of one domain is not slowed by a hundred that wait for another', { timeout: 30_000 }, async () => {
    const { open } = install({ 'slow.example': { perMinute: 1 }, 'quick.example': { perSecond: 1_000 } })
    const governor = open()
    const target = await observe()
    const over = new AbortController()
    setMaxListeners(0, over.signal)
    const waiting = Array.from({ length: 100 }, (_, j) => sendWhenAllowed(governor, 'slow.example', `${j}`, `${target.url}/`, over.signal))
    const from = performance.now()
    for (let count = 0; count < 50; count += 1) await sendWhenAllowed(governor, 'quick.example', 'q', `${target.url}/`)
    expect(performance.now() - from).toBeLessThan(5_000)
    over.abort()
    await Promise.all(waiting)
    expect(target.hits()).toHaveLength(51)
  })
})
