import type { Cell } from '../rows.ts'

/** How often each value was met; null is no value. */
export class Counts {
  readonly #counts = new Map<Exclude<Cell, null>, number>()
  #total = 0

  add(cell: Cell): void {
    if (cell === null) return
    this.#counts.set(cell, (this.#counts.get(cell) ?? 0) + 1)
    this.#total += 1
  }

  get total(): number {
    return this.#total
  }

  get distinct(): number {
    return this.#counts.size
  }

  /** The most frequent values; among equals the one that was met first. */
  top(most: number): { value: Cell; count: number }[] {
    return [...this.#counts].sort(([, a], [, b]) => b - a).slice(0, most).map(([value, count]) => ({ value, count }))
  }
}
