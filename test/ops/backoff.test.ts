import { describe, expect, test } from 'vitest'
import { Backoff } from '../../ops/up/backoff.ts'

describe('the wait before a process starts again', () => {
  test('is longer each time where the process ends as soon as it has started, up to a bound', () => {
    const backoff = new Backoff()
    expect(Array.from({ length: 8 }, () => backoff.next(1_000))).toEqual([300, 600, 1_200, 2_400, 4_800, 9_600, 15_000, 15_000])
  })

  test('is well below two seconds for a process that ran, however often it is killed', () => {
    const backoff = new Backoff()
    expect(Array.from({ length: 8 }, () => backoff.next(5_000))).toEqual(Array.from({ length: 8 }, () => 300))
  })
})
