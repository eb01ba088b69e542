import { cellsAt } from '../columns.ts'
import type { StageContext } from '../command.ts'
import { Pace } from '../pace.ts'
import type { Batch, Row } from '../rows.ts'
import { plainRows } from '../spill/form.ts'
import { batchRows } from '../stream.ts'
import { Extreme } from './extreme.ts'
import type { Group } from './groups.ts'
import { reduceGroups, type Reduction } from './reduceGroups.ts'
import { ValueKinds } from './valueKinds.ts'

const stateBytes = 600

/** The row of each group that holds the least or the greatest value; a group without a value has none. */
export function extremeRows(
  batches: AsyncIterable<Batch>,
  by: readonly string[],
  column: string,
  side: 'min' | 'max',
  { scratch, signal }: Pick<StageContext, 'scratch' | 'signal'>,
): AsyncGenerator<Batch> {
  const kinds = new ValueKinds()
  const cells = cellsAt(column)
  const reduction: Reduction<Extreme<Row>> = {
    make: () => new Extreme<Row>(side, kinds),
    add(extreme, row) {
      for (const cell of cells(row)) extreme.add(cell, row)
    },
    see(row) {
      for (const cell of cells(row)) kinds.add(cell)
    },
    trim: (row) => row,
    stateBytes,
    heldBytes: 0,
    spill: () => Promise.resolve(),
    results: foundRows,
  }
  return reduceGroups(batches, plainRows(), by, () => reduction, { scratch, pace: new Pace(signal), level: 0 })
}

async function* foundRows(groups: Iterable<Group<Extreme<Row>>>): AsyncGenerator<(Row | undefined)[]> {
  const all = [...groups]
  for (let at = 0; at < all.length; at += batchRows) yield all.slice(at, at + batchRows).map(({ state }) => state.found()?.payload)
}
