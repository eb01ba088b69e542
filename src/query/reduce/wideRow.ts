import { Problem } from '../../platform/errors.ts'
import { maxColumns, maxNameChars, setCell, type Cell, type Row } from '../rows.ts'

/** Sets columns of a row that grows with the data, and refuses to go on when it has become too wide. */
export class WideRow {
  readonly row: Row
  readonly #what: string
  #columns = 0
  #nameChars = 0

  constructor(row: Row, what: string) {
    this.row = row
    this.#what = what
  }

  set(name: string, cell: Cell): void {
    this.#columns += 1
    this.#nameChars += name.length
    if (this.#columns > maxColumns || this.#nameChars > maxNameChars) throw tooWide(this.#what)
    setCell(this.row, name, cell)
  }
}

/** The problem of a row that would become too wide. */
export function tooWide(what: string): Problem {
  const limits = `${maxColumns.toLocaleString('en')} columns or ${maxNameChars.toLocaleString('en')} characters of column names`
  return new Problem('unprocessable', `A row of ${what} would have more than ${limits}: keep fewer rows or columns in front of it, with limit, filter or table.`)
}
