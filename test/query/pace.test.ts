import { describe, expect, test } from 'vitest'
import type { Row } from '../../src/query/rows.ts'
import { batchesOf, runSpilling } from '../support/spillingRun.ts'

const numbers = (count: number): Row[] => Array.from({ length: count }, (_, n) => ({ n: (n * 7_919) % count, t: `text ${(n * 104_729) % count}` }))
const many = batchesOf(numbers(200_000), 1_000)

describe('long work', () => {
  test.for(['sort n', 'sort t', 'stats count by t', 'stats median(n)', 'stats distinct(t)', 'dedupe', 'top 10 t', 'summarize'])('lets timers fire: %s', async (command) => {
    let [fired, longest, last] = [0, 0, performance.now()]
    const start = last
    const timer = setInterval(() => {
      fired += 1
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 5)
    const { rows } = await runSpilling(`range 1 || ${command}`, { inputs: [many], memoryBytes: 2 ** 30 })
    clearInterval(timer)
    expect(rows.length).toBeGreaterThan(0)
    expect(fired).toBeGreaterThan(2)
    // A turn is 20 ms of work; the rest is room for a busy machine and its garbage collector.
    expect(longest).toBeLessThan(Math.max(1_000, (last - start) / 2))
  })

  test('ends with the reason of a cancel soon after it', async () => {
    const cancel = new AbortController()
    let cancelled = 0
    setTimeout(() => {
      cancelled = performance.now()
      cancel.abort(new Error('cancelled by its user'))
    }, 50)
    const endless = { [Symbol.iterator]: () => forever(many) } as unknown as typeof many // it is only iterated
    await expect(runSpilling('range 1 || filter "n >= 0" || stats count', { inputs: [endless], memoryBytes: 2 ** 30, signal: cancel.signal })).rejects.toThrow('cancelled by its user')
    expect(performance.now() - cancelled).toBeLessThan(1_000)
  })

  test('ends in the midst of a sort when it is cancelled', async () => {
    const cancel = new AbortController()
    let handedOut = 0
    async function abortAfterInput(): Promise<void> {
      await expect.poll(() => handedOut, { timeout: 30_000, interval: 1 }).toBe(many.length)
      cancel.abort(new Error('cancelled by its user'))
    }
    const counted = { *[Symbol.iterator]() { for (const batch of many) { handedOut += 1; yield batch } } } as unknown as typeof many // it is only iterated
    const [ended] = await Promise.allSettled([runSpilling('range 1 || sort t n', { inputs: [counted], memoryBytes: 2 ** 30, signal: cancel.signal }), abortAfterInput()])
    expect(ended).toMatchObject({ status: 'rejected', reason: { message: 'cancelled by its user' } })
  })
})

function* forever<Item>(items: readonly Item[]): Generator<Item> {
  for (;;) yield* items
}
