import type { Cell } from '../../../query/rows.ts'
import { DistinctEstimate } from './distinctValues.ts'

type Value = Exclude<Cell, null>

/** What the counts of all columns together may hold. */
export class CountBudget {
  readonly #maxValues: number
  readonly #maxChars: number
  #values = 0
  #chars = 0

  constructor(maxValues = 1_000_000, maxChars = 2 ** 26) {
    this.#maxValues = maxValues
    this.#maxChars = maxChars
  }

  take(value: Value): boolean {
    this.#values += 1
    this.#chars += String(value).length
    return this.#values <= this.#maxValues && this.#chars <= this.#maxChars
  }

  giveBack(values: Iterable<Value>): void {
    for (const value of values) {
      this.#values -= 1
      this.#chars -= String(value).length
    }
  }
}

/** Values of one column that are counted one by one. */
const exactValues = 100_000
/** Values that stay counted beyond that; those that come often are among them. */
const oftenValues = 1_000

/** How often each value was met: exact up to a bound, beyond it an estimate and the values that come often. */
export class ValueCounts {
  readonly #budget: CountBudget
  readonly #bound: number
  #counts = new Map<Value, number>()
  #estimate: DistinctEstimate | undefined
  #total = 0

  constructor(budget: CountBudget, bound = exactValues) {
    this.#budget = budget
    this.#bound = bound
  }

  /** Counts a value; answers whether it may be one that was not met before. */
  add(value: Value): boolean {
    this.#total += 1
    const count = this.#counts.get(value)
    this.#counts.set(value, (count ?? 0) + 1)
    if (count !== undefined) return false
    this.#estimate?.add(value)
    const fits = this.#budget.take(value)
    if (this.#estimate ? this.#counts.size > 4 * oftenValues : !fits || this.#counts.size > this.#bound) this.#thin()
    return true
  }

  get total(): number {
    return this.#total
  }

  get distinct(): number {
    return this.#estimate?.size ?? this.#counts.size
  }

  /** The most frequent values; among equals the one that was met first. */
  top(most: number): { value: Cell; count: number }[] {
    return this.#sorted().slice(0, most).map(([value, count]) => ({ value, count }))
  }

  #sorted(): [Value, number][] {
    return [...this.#counts].sort(([, a], [, b]) => b - a)
  }

  /** From now on the number of values is estimated, and only those that come often are counted on. */
  #thin(): void {
    this.#estimate ??= this.#begunEstimate()
    this.#budget.giveBack(this.#counts.keys())
    this.#counts = new Map(this.#sorted().slice(0, oftenValues))
    for (const value of this.#counts.keys()) this.#budget.take(value)
  }

  #begunEstimate(): DistinctEstimate {
    const estimate = new DistinctEstimate()
    for (const value of this.#counts.keys()) estimate.add(value)
    return estimate
  }
}
