import { Problem } from '../../platform/errors.ts'
import { maxColumns, maxNameChars, type Batch, type Cell } from '../rows.ts'

/** What a column holds: values of one kind, or texts where kinds are mixed or there are none. */
export type ColumnType = 'number' | 'boolean' | 'string'

/** Learns the columns of rows, in the order of their first appearance, and what each holds. */
export class ColumnTypes {
  readonly #types = new Map<string, ColumnType | null>()
  #chars = 0

  get names(): string[] {
    return [...this.#types.keys()]
  }

  typeOf(name: string): ColumnType {
    return this.#types.get(name) ?? 'string'
  }

  add(batch: Batch): void {
    for (const row of batch) for (const name of Object.keys(row)) this.#see(name, row[name] ?? null)
  }

  #see(name: string, cell: Cell): void {
    const known = this.#types.get(name)
    if (known === undefined) this.#addName(name)
    if (known === 'string') return
    const type = cell === null ? null : (typeof cell as ColumnType) // a cell has no further kinds
    if (known === undefined || known === null) this.#types.set(name, type)
    else if (type !== null && type !== known) this.#types.set(name, 'string')
  }

  #addName(name: string): void {
    this.#chars += name.length
    if (this.#types.size < maxColumns && this.#chars <= maxNameChars) return
    const bounds = `${maxColumns.toLocaleString('en')} columns with ${maxNameChars.toLocaleString('en')} characters in their names`
    throw new Problem('unprocessable', `The rows have too many columns for one table, which holds at most ${bounds}; leave some out with table or untable.`)
  }
}
