import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Limits } from '../../src/governor/cover.ts'
import { judge, windowMs } from '../../src/governor/windows.ts'

const now = 1_700_000_000_000
const ago = (...ms: number[]): number[] => ms.map((passed) => now - passed)

describe('judge', () => {
  test('counts what is younger than each window, and what lies in the future', () => {
    const times = ago(-5_000, 0, 999, 1_000, 9_999, 10_000, 59_999, 60_000, 1e12)
    expect(judge({}, times, now)).toEqual({ allowed: true, waitMs: 0, counts: { perSecond: 3, perTenSeconds: 5, perMinute: 7 } })
  })

  test.for<[Limits, number[], number | null]>([
    [{ perSecond: 1 }, [], 0],
    [{ perSecond: 1 }, ago(1_000), 0],
    [{ perSecond: 1 }, ago(999), 1],
    [{ perSecond: 1 }, ago(0), 1_000],
    [{ perSecond: 2 }, ago(0), 0],
    [{ perSecond: 2 }, ago(0, 400), 600],
    [{ perSecond: 2 }, ago(400, 0, 100, 300), 900],
    [{ perTenSeconds: 1 }, ago(2_000), 8_000],
    [{ perMinute: 3 }, ago(1_000, 2_000, 3_000), 57_000],
    [{ perSecond: 1, perTenSeconds: 1, perMinute: 1 }, ago(500), 59_500],
    [{ perSecond: 1, perMinute: 100 }, ago(500), 500],
    [{ perSecond: 1 }, ago(-3_000), 4_000],
    [{ perSecond: 1 }, [now - 0.5], 1_000],
    [{ perSecond: 0 }, [], null],
    [{ perSecond: 5, perMinute: 0 }, ago(0), null],
    [{}, ago(0, 0, 0), 0],
  ])('waits under %j after %j for %j', ([limits, times, waitMs]) => {
    expect(judge(limits, times, now)).toMatchObject({ allowed: waitMs === 0, waitMs })
  })

  test('names the shortest wait after which one more fits', () => {
    const rate = fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined })
    const limits = fc.record({ perSecond: rate, perTenSeconds: rate, perMinute: rate })
    const times = fc.array(fc.integer({ min: now - 70_000, max: now + 5_000 }), { maxLength: 12 })
    const fits = (given: Limits, sent: readonly number[], atMs: number): boolean =>
      (['perSecond', 'perTenSeconds', 'perMinute'] as const).every((window) => sent.filter((time) => time > atMs - windowMs[window]).length < (given[window] ?? Infinity))
    fc.assert(
      fc.property(limits, times, (some, sent) => {
        const given = Object.fromEntries(Object.entries(some).filter(([, value]) => value !== undefined)) as Limits
        const waitMs = judge(given, sent, now).waitMs ?? Number.NaN
        expect(fits(given, sent, now + waitMs)).toBe(true)
        if (waitMs > 0) expect(fits(given, sent, now + waitMs - 1)).toBe(false)
      }),
    )
  })
})
