import { randomUUID } from 'node:crypto'
import { keepColumns, withCells } from './columns.ts'
import type { StageContext } from './command.ts'
import type { Batch } from './rows.ts'
import { mapRows } from './stream.ts'

/** Does what the flags of every command ask of a stage's rows: first others are appended, then columns kept, then ids given. */
export function applyCommonFlags(
  batches: AsyncIterable<Batch>,
  flags: Readonly<Record<string, unknown>>,
  context: Pick<StageContext, 'rowsOf'>,
): AsyncIterable<Batch> {
  const { appendStage, table, guid } = flags
  let rows = batches
  if (typeof appendStage === 'string') rows = appendRows(rows, () => context.rowsOf(appendStage))
  if (Array.isArray(table)) rows = mapRows(rows, keepColumns(table as string[])) // commonFlags reads it as names
  return guid === true ? mapRows(rows, (row) => withCells(row, { _guid: randomUUID() })) : rows
}

/** The rows of one stream behind those of another; the second is asked for when the first has ended. */
export async function* appendRows(batches: AsyncIterable<Batch>, more: () => AsyncIterable<Batch>): AsyncGenerator<Batch> {
  yield* batches
  yield* more()
}
