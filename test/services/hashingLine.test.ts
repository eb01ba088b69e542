import { describe, expect, test } from 'vitest'
import { HashingLine } from '../../src/services/secrets/hashingLine.ts'

/** Work that ends when the test says so. */
function openWork<Result>() {
  let end: (result: Result) => void = () => undefined
  let started = false
  const done = new Promise<Result>((resolve) => (end = resolve))
  return {
    start: () => {
      started = true
      return done
    },
    end: (result: Result) => end(result),
    isStarted: () => started,
  }
}

describe('the line of password work', () => {
  test('runs so many at once, starts the others in their order, and refuses whom the line does not hold', async () => {
    const line = new HashingLine(1, 2)
    const works = [openWork<number>(), openWork<number>(), openWork<number>()] as const
    const results = works.map((work) => line.run(work.start))
    await expect(line.run(() => Promise.resolve(4))).rejects.toMatchObject({ code: 'overloaded', status: 503, options: { retryAfterS: 2 } })
    expect(works.map((work) => work.isStarted())).toEqual([true, false, false])
    works[0].end(1)
    await expect(results[0]).resolves.toBe(1)
    expect(works.map((work) => work.isStarted())).toEqual([true, true, false])
    works[2].end(3)
    works[1].end(2)
    await expect(Promise.all(results)).resolves.toEqual([1, 2, 3])
    await expect(line.run(() => Promise.resolve(5))).resolves.toBe(5)
  })

  test('goes on after work that fails', async () => {
    const line = new HashingLine(1, 1)
    const failing = line.run(() => Promise.reject(new Error('no memory')))
    const next = line.run(() => Promise.resolve('next'))
    await expect(failing).rejects.toThrow('no memory')
    await expect(next).resolves.toBe('next')
  })
})
