import type { Arrivals } from './arrivals.ts'
import type { Band, Histogram } from './histogram.ts'
import type { LoadOptions } from './options.ts'
import type { OutcomeCount, Tally } from './tally.ts'
import type { Verified } from './verify.ts'

/** Quantiles of a set of times, in milliseconds. */
export interface Times {
  readonly p50: number
  readonly p90: number
  readonly p95: number
  readonly p99: number
  readonly p999: number
  readonly max: number
  readonly mean: number
}

/** One second of the load. */
export interface Moment {
  readonly second: number
  readonly arrived: number
  readonly accepted: number
  readonly turnedAway: number
  readonly failed: number
  /** Null where nothing was accepted. */
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
}

/** All that a load test has found. */
export interface Report {
  readonly url: string
  readonly operation: string
  readonly query: string
  readonly rate: number
  readonly seconds: number
  readonly rampS: number
  readonly concurrency: number
  readonly endedEarly: boolean
  readonly tookS: number
  /** Requests that were due. */
  readonly arrived: number
  readonly sent: number
  /** Due, and never sent: too many were under way until the end. */
  readonly notSent: number
  readonly accepted: number
  readonly turnedAway: number
  readonly failed: number
  /** Accepted requests a second, over the time of the load. */
  readonly acceptedPerSecond: number
  readonly latencyMs: Times
  readonly sendLagMs: Times
  readonly outcomes: readonly OutcomeCount[]
  readonly histogram: readonly Band[]
  readonly timeline: readonly Moment[]
  readonly verified: Verified | null
}

/** What the end of a load test knows beside its tally. */
export interface Finished {
  readonly operation: string
  readonly tookMs: number
  readonly endedEarly: boolean
  readonly verified: Verified | null
}

/** Puts the findings of a load together. */
export function makeReport(options: LoadOptions, tally: Tally, { operation, tookMs, endedEarly, verified }: Finished): Report {
  const { url, query, rate, seconds, rampS, concurrency } = options
  const timeline = tally.seconds.map((second, at) => momentOf(second, at))
  const arrived = timeline.reduce((sum, moment) => sum + moment.arrived, 0)
  const loadS = Math.min(seconds, tookMs / 1_000)
  return {
    url, operation, query, rate, seconds, rampS, concurrency, endedEarly,
    tookS: rounded(tookMs / 1_000),
    arrived,
    sent: tally.sent,
    notSent: arrived - tally.sent,
    ...tally.counts,
    acceptedPerSecond: rounded(tally.counts.accepted / loadS),
    latencyMs: timesOf(tally.latency),
    sendLagMs: timesOf(tally.lag),
    outcomes: [...tally.outcomes.values()].toSorted((a, b) => b.count - a.count),
    histogram: tally.latency.bands(),
    timeline,
    verified,
  }
}

/** Counts the requests that were due until the load ended. */
export function countArrivals(tally: Tally, arrivals: Arrivals, untilMs: number): void {
  for (let number = 0; number < arrivals.total; number += 1) {
    const dueMs = arrivals.dueMs(number)
    if (dueMs >= untilMs && number >= tally.sent) return
    tally.arrive(dueMs)
  }
}

function momentOf({ arrived, accepted, turnedAway, failed, latency }: Tally['seconds'][number], second: number): Moment {
  const at = (share: number): number | null => (latency.count === 0 ? null : rounded(latency.quantile(share)))
  return { second, arrived, accepted, turnedAway, failed, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

function timesOf(times: Histogram): Times {
  const at = (share: number): number => rounded(times.quantile(share))
  const [max, mean] = [rounded(times.maxMs), rounded(times.meanMs)]
  return { p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), p999: at(0.999), max, mean }
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000
