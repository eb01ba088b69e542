import { describe, expect, it } from 'vitest'
import { Batcher } from '../../src/platform/batcher.ts'

/** A performer whose batches end when they are told to. */
function byHand() {
  const batches: { readonly items: readonly number[]; end(): void; fail(error: Error): void }[] = []
  const perform = (items: readonly number[]): Promise<number[]> =>
    new Promise((resolve, reject) => void batches.push({ items, end: () => resolve(items.map((item) => item * 2)), fail: reject }))
  return { batches, perform }
}

describe('a batcher', () => {
  it('takes together what comes together, and what comes while it works', async () => {
    const { batches, perform } = byHand()
    const batcher = new Batcher(perform, { maxItems: 10, lanes: 1 })
    const first = [batcher.add(1), batcher.add(2)]
    await expect.poll(() => batches.length).toBe(1)
    const second = [batcher.add(3), batcher.add(4)]
    batches[0]?.end()
    expect(await Promise.all(first)).toEqual([2, 4])
    batches[1]?.end()
    expect(await Promise.all(second)).toEqual([6, 8])
    expect(batches.map(({ items }) => items)).toEqual([[1, 2], [3, 4]])
  })

  it('begins the next batch before those of the last go on', async () => {
    const { batches, perform } = byHand()
    const batcher = new Batcher(perform, { maxItems: 10, lanes: 1 })
    const begunThen = batcher.add(1).then(() => batches.length)
    await expect.poll(() => batches.length).toBe(1)
    const next = batcher.add(2)
    batches[0]?.end()
    expect(await begunThen).toBe(2)
    batches[1]?.end()
    expect(await next).toBe(4)
  })

  it('takes no more at once, and has no more under way, than it may', async () => {
    const { batches, perform } = byHand()
    const batcher = new Batcher(perform, { maxItems: 2, lanes: 2 })
    const all = Promise.all([1, 2, 3, 4, 5].map((item) => batcher.add(item)))
    await expect.poll(() => batches.length).toBe(2)
    batches[1]?.end()
    await expect.poll(() => batches.length).toBe(3)
    batches[0]?.end()
    batches[2]?.end()
    expect(await all).toEqual([2, 4, 6, 8, 10])
    expect(batches.map(({ items }) => items)).toEqual([[1, 2], [3, 4], [5]])
  })

  it('fails those of a failed batch, and goes on with the next', async () => {
    const { batches, perform } = byHand()
    const batcher = new Batcher(perform, { maxItems: 1, lanes: 1 })
    const [first, second] = [batcher.add(1), batcher.add(2)]
    await expect.poll(() => batches.length).toBe(1)
    batches[0]?.fail(new Error('no'))
    await expect(first).rejects.toThrow('no')
    batches[1]?.end()
    expect(await second).toBe(4)
  })
})
