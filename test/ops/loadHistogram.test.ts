import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planArrivals } from '../../ops/load/arrivals.ts'
import { Histogram } from '../../ops/load/histogram.ts'

describe('the histogram of the load test', () => {
  test('gives quantiles that are off by less than 1.6 %', () => {
    const times = fc.array(fc.double({ min: 0.001, max: 1_000_000, noNaN: true }), { minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(times, fc.constantFrom(0.5, 0.9, 0.99, 0.999, 1), (values, share) => {
        const histogram = new Histogram()
        for (const ms of values) histogram.add(ms)
        const exact = values.toSorted((a, b) => a - b)[Math.max(1, Math.ceil(share * values.length)) - 1] ?? 0
        expect(histogram.quantile(share)).toBeGreaterThanOrEqual(exact - 0.001)
        expect(histogram.quantile(share)).toBeLessThanOrEqual(exact * 1.016 + 0.002)
      }),
    )
  })

  test('shows every value in one band of round bounds', () => {
    const histogram = new Histogram()
    for (const ms of [0.3, 1.5, 1.7, 30, 45_000]) histogram.add(ms)
    const bands = histogram.bands().filter(({ count }) => count > 0)
    expect(bands).toEqual([
      { fromMs: 0.2, toMs: 0.5, count: 1 },
      { fromMs: 1, toMs: 2, count: 2 },
      { fromMs: 20, toMs: 50, count: 1 },
      { fromMs: 20_000, toMs: 50_000, count: 1 },
    ])
    expect(histogram.bands().map(({ toMs }) => toMs).slice(0, 5)).toEqual([0.5, 1, 2, 5, 10])
    expect(new Histogram().bands()).toEqual([])
    expect(new Histogram().quantile(0.99)).toBe(0)
  })
})

describe('the arrivals of the load test', () => {
  test('come evenly at the rate, and grow to it in the ramp', () => {
    const steady = planArrivals({ rate: 4, seconds: 2, rampS: 0 })
    const due = Array.from({ length: steady.total }, (_, number) => steady.dueMs(number))
    expect(due).toEqual([0, 250, 500, 750, 1_000, 1_250, 1_500, 1_750])
    const ramp = planArrivals({ rate: 100, seconds: 10, rampS: 4 })
    expect(ramp.total).toBe(800)
    expect(ramp.dueMs(50)).toBeCloseTo(2_000)
    expect(ramp.dueMs(200)).toBeCloseTo(4_000)
    expect(ramp.dueMs(300)).toBeCloseTo(5_000)
  })
})
