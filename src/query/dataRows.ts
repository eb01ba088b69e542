import { Problem, type ErrorCode } from '../platform/errors.ts'
import { flatten, UnfitRow, type Batch, type Row } from './rows.ts'
import { inBatches } from './stream.ts'

/** Rows of data that a target answered: a list gives a row an item, anything else is one row. */
export function rowsOfData(data: unknown): AsyncGenerator<Batch> {
  return inBatches(rowsIn(data))
}

function* rowsIn(data: unknown): Generator<Row> {
  for (const item of Array.isArray(data) ? (data as unknown[]) : [data]) yield rowOf(item)
}

/** The row of data that a target answered; data that fits no row is a problem. */
export const rowOf = (data: unknown): Row => rowFrom(data, 'target_unreadable', 'The answer')

/** The row of data that a query made; the problem of data that fits no row says what it is. */
export const rowMade = (data: unknown, what: string): Row => rowFrom(data, 'unprocessable', what)

function rowFrom(data: unknown, code: ErrorCode, what: string): Row {
  try {
    return flatten(data)
  } catch (error) {
    if (error instanceof UnfitRow) throw new Problem(code, `${what} cannot become a row: it ${error.message}.`)
    throw error
  }
}
