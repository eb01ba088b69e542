import { Problem } from '../platform/errors.ts'
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
export function rowOf(data: unknown): Row {
  try {
    return flatten(data)
  } catch (error) {
    if (error instanceof UnfitRow) throw new Problem('target_unreadable', `The answer cannot become a row: it ${error.message}.`)
    throw error
  }
}
