/** One line of the table: what we do, beside what the raw part does. */
export interface Measured {
  readonly what: string
  readonly value: number
  readonly beside: string
  readonly raw: number
  readonly unit: string
  readonly ratio: number
  readonly reach: string
  readonly reached: boolean
}

/** A benchmark measures both sides in one run. */
export type Bench = () => Promise<Measured[]>

/** Compares a rate with the raw part's: more is better. */
export function compareRates(what: string, value: number, beside: string, raw: number, least: number): Measured {
  const ratio = value / raw
  return { what, value, beside, raw, unit: '1/s', ratio, reach: `≥ ${least}`, reached: ratio >= least }
}

/** Compares a time with another part's: less is better. */
export function compareTimes(what: string, value: number, beside: string, raw: number, most: number): Measured {
  const ratio = value / raw
  return { what, value, beside, raw, unit: 'ms', ratio, reach: `≤ ${most}`, reached: ratio <= most }
}

/** The middle of the values: a moment in which the machine was busy elsewhere does not move it. */
export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
}
