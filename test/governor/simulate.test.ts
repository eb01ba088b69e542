import { describe, expect, test } from 'vitest'
import type { Limits } from '../../src/governor/cover.ts'
import { simulate } from '../../src/governor/simulate.ts'

describe('simulate', () => {
  test.for<[Limits, number, number | null]>([
    [{}, 1_000, 0],
    [{ perSecond: 1 }, 1, 0],
    [{ perSecond: 1 }, 2, 1_000],
    [{ perSecond: 5 }, 11, 2_000],
    [{ perSecond: 1, perTenSeconds: 5 }, 6, 10_000],
    [{ perSecond: 1, perTenSeconds: 5 }, 7, 11_000],
    [{ perSecond: 5, perTenSeconds: 40, perMinute: 200 }, 300, 83_000],
    [{ perMinute: 0 }, 1, null],
  ])('under %j takes for %i dispatches %j ms', ([limits, dispatches, ms]) => {
    expect(simulate(limits, dispatches)).toBe(ms)
  })
})
