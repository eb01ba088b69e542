import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dueSlots, firstSlot, nextSlot } from '../../../src/services/almanac/slots.ts'

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

describe('dueSlots', () => {
  test('is the due slot alone until the next one has come', () => {
    const dueMs = anchorMs + 15 * minute
    for (const passedMs of [0, 1, 15 * minute - 1]) {
      expect(dueSlots({ anchorMs, minutes: 15 }, dueMs, dueMs + passedMs)).toEqual({ newestMs: dueMs, missed: 0, nextMs: anchorMs + 30 * minute })
    }
  })

  test('is the newest slot, with all before it missed, after an outage', () => {
    const dueMs = anchorMs + 15 * minute
    expect(dueSlots({ anchorMs, minutes: 15 }, dueMs, dueMs + 31 * minute)).toEqual({ newestMs: anchorMs + 45 * minute, missed: 2, nextMs: anchorMs + 60 * minute })
  })

  test('is the one slot of a single run, however late', () => {
    expect(dueSlots({ anchorMs, minutes: 0 }, anchorMs, anchorMs + aYear)).toEqual({ newestMs: anchorMs, missed: 0, nextMs: null })
  })

  test('leaves no slot out and moves on, whatever the clock says', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: aYear }), fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 0, max: 1e12 }), (minutes, index, passedMs) => {
        const dueMs = anchorMs + index * minutes * minute
        const { newestMs, missed, nextMs } = dueSlots({ anchorMs, minutes }, dueMs, dueMs + passedMs)
        expect(newestMs).toBe(dueMs + missed * minutes * minute)
        expect(nextMs).toBe(newestMs + minutes * minute)
        expect(nextMs).toBeGreaterThan(dueMs + passedMs)
        expect(newestMs).toBeLessThanOrEqual(dueMs + passedMs)
      }),
    )
  })
})
