import { Problem } from '../platform/errors.ts'
import { cellAt, replaceColumn } from './columns.ts'
import { flatten, UnfitRow, type Batch, type Row } from './rows.ts'
import { expandRows } from './stream.ts'

/** How a column of text is parsed. */
export interface Parsing {
  readonly column: string
  readonly parse: (text: string) => unknown
  /** A row an item of a list. */
  readonly rows: boolean
  readonly warn: (message: string) => void
}

/** Parses a column of every row: `column.*` stands in place of it; a text that cannot be parsed stays, with a warning. */
export function parseColumn(batches: AsyncIterable<Batch>, { column, parse, rows, warn }: Parsing): AsyncIterable<Batch> {
  return expandRows(batches, function* (row) {
    const text = textAt(row, column)
    if (text === null) return yield row
    let made: Row[]
    try {
      made = rowsOfParsed(row, column, parse(text), rows)
    } catch (error) {
      warn(reasonOf(column, error))
      return yield row
    }
    yield* made
  })
}

/** The text of a column, or null where there is none to parse. */
export function textAt(row: Row, column: string): string | null {
  const cell = cellAt(row, column)
  return typeof cell === 'string' && cell.trim() !== '' ? cell : null
}

/** The rows that what was parsed makes of one row. */
export function rowsOfParsed(row: Row, column: string, parsed: unknown, asRows: boolean): Row[] {
  const items: unknown[] = asRows && Array.isArray(parsed) ? parsed : [parsed]
  return items.map((item) => replaceColumn(row, column, flatten({ [column]: item })))
}

/** Why a text was not parsed; throws on what is not the text's fault. */
export function reasonOf(column: string, error: unknown): string {
  if (error instanceof UnfitRow) return `${column} was not parsed: it ${error.message}`
  if (error instanceof SyntaxError || error instanceof Problem) return `${column} was not parsed: ${error.message}`
  throw error
}
