import { asNumber } from '../expressions/values.ts'
import type { Cell } from '../rows.ts'
import { Extreme } from './extreme.ts'
import { distinct, list, percentileOf, type Held, type HeldValues } from './heldValues.ts'
import { Deviation, finite, Sum } from './numbers.ts'
import { ValueKinds } from './valueKinds.ts'

/** Gathers the values of a column into one, or into a list; those on numbers pass over what is none. */
export interface Aggregate {
  readonly add: (cell: Cell) => void
  readonly result: () => Cell | Cell[]
  /** What it must hold of every value; absent where it holds only the result so far. */
  readonly values?: HeldValues
}

/** Makes the aggregates of one column for each group of a run; `see` hears of values that are gathered later. */
export interface Aggregation {
  readonly make: (held: Held) => Aggregate
  readonly see?: (cell: Cell) => void
}

function onNumbers(add: (number: number) => void, result: () => Cell): Aggregate {
  const addCell = (cell: Cell): void => {
    const number = asNumber(cell)
    if (number !== null) add(number)
  }
  return { add: addCell, result }
}

function onFilled(add: (cell: Exclude<Cell, null>) => void, result: () => Cell): Aggregate {
  return { add: (cell) => void (cell === null || add(cell)), result }
}

/** Counts what it is given, whatever it is. */
export function countAll(): Aggregate {
  let count = 0
  return { add: () => void (count += 1), result: () => count }
}

/** Adds numbers; none are 0. */
export function sumOf(): Aggregate {
  const sum = new Sum()
  return onNumbers((number) => sum.add(number), () => finite(sum.total))
}

/** The mean of numbers; of none it is null. */
export function averageOf(): Aggregate {
  const sum = new Sum()
  let count = 0
  const add = (number: number): void => {
    sum.add(number)
    count += 1
  }
  return onNumbers(add, () => finite(sum.total / count))
}

/** Made anew for each run: what it makes for the groups of one column has the kinds of values in common. */
export function extremeOf(side: 'min' | 'max'): Aggregation {
  const kinds = new ValueKinds()
  const make = (): Aggregate => {
    const extreme = new Extreme<null>(side, kinds)
    return { add: (cell) => extreme.add(cell, null), result: () => extreme.found()?.cell ?? null }
  }
  return { make, see: (cell) => kinds.add(cell) }
}

function first(): Aggregate {
  let found: Cell = null
  return onFilled((cell) => void (found ??= cell), () => found)
}

function last(): Aggregate {
  let found: Cell = null
  return onFilled((cell) => void (found = cell), () => found)
}

function deviation(): Aggregate {
  const state = new Deviation()
  return onNumbers((number) => state.add(number), () => state.result())
}

const byName: ReadonlyMap<string, () => Aggregation> = new Map([
  ['sum', () => ({ make: sumOf })],
  ['avg', () => ({ make: averageOf })],
  ['min', () => extremeOf('min')],
  ['max', () => extremeOf('max')],
  ['distinct', () => ({ make: distinct })],
  ['first', () => ({ make: first })],
  ['last', () => ({ make: last })],
  ['median', () => ({ make: percentileOf(50) })],
  ['stdev', () => ({ make: deviation })],
  ['list', () => ({ make: list })],
])

/** The names of aggregates of a column; beside p50, p95 and p99 every other percentile is known. */
export const aggregateNames: readonly string[] = [...byName.keys(), 'p50', 'p95', 'p99']

/** What makes the aggregate of a name for each group of one run. */
export function findAggregate(name: string): Aggregation | undefined {
  const percent = /^p([1-9]\d?)$/.exec(name)?.[1]
  return percent === undefined ? byName.get(name)?.() : { make: percentileOf(Number(percent)) }
}
