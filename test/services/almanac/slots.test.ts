import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstSlot, nextSlot } from '../../../src/services/almanac/slots.ts'

const anchorMs = Date.UTC(2030, 0, 1)
const minute = 60_000
const aYear = 525_600

describe('firstSlot', () => {
  test('lies one interval after the anchor, and on it where there is none', () => {
    expect(firstSlot({ anchorMs, minutes: 15 })).toBe(anchorMs + 15 * minute)
    expect(firstSlot({ anchorMs, minutes: 0 })).toBe(anchorMs)
  })
})

describe('nextSlot', () => {
  test.for([
    [0, 15],
    [14 * minute, 15],
    [15 * minute - 1, 15],
    [15 * minute, 30],
    [15 * minute + 1, 30],
    [44 * minute, 45],
    [-1, 15],
    [-aYear * minute, 15],
  ] as const)('%d ms after the anchor is in minute %d', ([passedMs, expected]) => {
    expect(nextSlot({ anchorMs, minutes: 15 }, anchorMs + passedMs)).toBe(anchorMs + expected * minute)
  })

  test('is the anchor of a single run until that has passed, and then none', () => {
    expect(nextSlot({ anchorMs, minutes: 0 }, anchorMs - 1)).toBe(anchorMs)
    expect(nextSlot({ anchorMs, minutes: 0 }, anchorMs)).toBeNull()
    expect(nextSlot({ anchorMs, minutes: 0 }, anchorMs + 1)).toBeNull()
  })

  test('is the least slot ahead, whatever the clock says', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: aYear }), fc.integer({ min: -1e12, max: 1e13 }), (minutes, passedMs) => {
        const nowMs = anchorMs + passedMs
        const slot = nextSlot({ anchorMs, minutes }, nowMs) ?? Number.NaN
        const step = minutes * minute
        expect((slot - anchorMs) % step).toBe(0)
        expect(slot).toBeGreaterThan(nowMs)
        expect(slot).toBeGreaterThanOrEqual(anchorMs + step)
        if (slot > anchorMs + step) expect(slot - step).toBeLessThanOrEqual(nowMs)
      }),
    )
  })
})
