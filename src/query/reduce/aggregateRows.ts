import { setCell, type Batch, type Cell, type Row } from '../rows.ts'
import { inBatches } from '../stream.ts'
import type { Aggregate } from './aggregates.ts'
import { Groups, type Group } from './groups.ts'
import { WideRow } from './wideRow.ts'

/** A column of the result: what it is called, which values it gathers, and how. */
export interface AggregateColumn {
  readonly name: string
  readonly cells: (row: Row) => readonly Cell[]
  readonly make: () => Aggregate
}

/** Makes a row a group of rows; only what the aggregates hold is kept. */
export async function* aggregateRows(batches: AsyncIterable<Batch>, by: readonly string[], columns: readonly AggregateColumn[]): AsyncGenerator<Batch> {
  const groups = new Groups(by, () => columns.map(({ make }) => make()))
  for await (const batch of batches) {
    for (const row of batch) {
      const state = groups.of(row)
      for (const [index, { cells }] of columns.entries()) for (const cell of cells(row)) state[index]?.add(cell)
    }
  }
  yield* inBatches(resultRows(groups.all(), columns.map(({ name }) => name)))
}

function* resultRows(groups: Iterable<Group<Aggregate[]>>, names: readonly string[]): Generator<Row> {
  for (const { key, state } of groups) {
    for (const [index, name] of names.entries()) setResult(key, name, state[index]?.result() ?? null)
    yield key
  }
}

/** A list is flattened like any other. */
function setResult(row: Row, name: string, result: Cell | Cell[]): void {
  if (!Array.isArray(result)) return setCell(row, name, result)
  const wide = new WideRow(row, `the list ${name}`)
  for (const [index, cell] of result.entries()) wide.set(`${name}.${index}`, cell)
}
