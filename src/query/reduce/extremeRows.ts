import type { Batch, Cell, Row } from '../rows.ts'
import { inBatches } from '../stream.ts'
import { Extreme } from './extreme.ts'
import { Groups } from './groups.ts'
import { ValueKinds } from './valueKinds.ts'

/** The row of each group that holds the least or the greatest value; a group without a value has none. */
export async function* extremeRows(batches: AsyncIterable<Batch>, by: readonly string[], cells: (row: Row) => readonly Cell[], side: 'min' | 'max'): AsyncGenerator<Batch> {
  const kinds = new ValueKinds()
  const groups = new Groups(by, () => new Extreme<Row>(side, kinds))
  for await (const batch of batches) {
    for (const row of batch) {
      const extreme = groups.of(row)
      for (const cell of cells(row)) extreme.add(cell, row)
    }
  }
  const found = [...groups.all()].map(({ state }) => state.found())
  yield* inBatches(found.flatMap((candidate) => (candidate ? [candidate.payload] : [])))
}
