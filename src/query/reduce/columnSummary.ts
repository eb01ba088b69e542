import { asNumber } from '../expressions/values.ts'
import { setCell, type Cell, type Row } from '../rows.ts'
import { Counts } from './counts.ts'
import type { Tally } from './spilledCounts.ts'
import { Extreme } from './extreme.ts'
import { finite, Sum } from './numbers.ts'
import { ValueKinds } from './valueKinds.ts'

/** Most frequent values that a summary shows. */
export const topValues = 5

/** What can be said about the values of one column; a value that is null or empty text does not fill its cell. */
export class ColumnSummary {
  readonly counts = new Counts()
  readonly #types = new Set<string>()
  readonly #kinds = new ValueKinds()
  readonly #least = new Extreme<null>('min')
  readonly #greatest = new Extreme<null>('max')
  readonly #sum = new Sum()
  #numbers = 0

  add(cell: Cell): void {
    if (cell === null || cell === '') return
    this.#types.add(typeof cell)
    this.#kinds.add(cell)
    this.counts.add(cell)
    this.#least.add(cell, null)
    this.#greatest.add(cell, null)
    const number = asNumber(cell)
    if (number === null) return
    this.#sum.add(number)
    this.#numbers += 1
  }

  /** The row of the summary, with what is known of all values together. */
  row(column: string, tally: Tally | undefined): Row {
    const [type = 'null', ...others] = this.#types
    const row: Row = {
      column,
      type: others.length > 0 ? 'mixed' : type,
      filled: this.counts.total,
      distinct: tally?.distinct ?? 0,
      min: this.#least.found()?.cell ?? null,
      max: this.#greatest.found()?.cell ?? null,
      mean: this.#kinds.areNumbers ? finite(this.#sum.total / this.#numbers) : null,
    }
    for (const [index, { value, count }] of (tally?.top ?? []).entries()) {
      setCell(row, `top.${index}.value`, value)
      setCell(row, `top.${index}.count`, count)
    }
    return row
  }
}
