import { cellAt } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { WideRow } from '../reduce/wideRow.ts'
import type { Row } from '../rows.ts'
import { batchRows, collectRows, inBatches } from '../stream.ts'

/** Cells that a batch holds at most, unless one row has more. */
const batchCells = 1_000_000

export const transpose = defineCommand({
  name: 'transpose',
  kind: 'reduce',
  summary: 'Makes a row of each column: its name in the column `column`, its values in 0, 1, …',
  args: {},
  flags: {},
  examples: ["seed '[{a: 1, b: 2}, {a: 3, b: 4}]' || transpose", 'range 3 || transpose'],

  async *run(batches) {
    const rows = await collectRows(batches)
    yield* inBatches(columnRows(rows), Math.min(batchRows, Math.ceil(batchCells / (rows.length + 1))))
  },
})

function* columnRows(rows: readonly Row[]): Generator<Row> {
  const names = new Set<string>()
  for (const row of rows) for (const name of Object.keys(row)) names.add(name)
  for (const name of names) {
    const wide = new WideRow({ column: name }, 'transpose')
    for (const [index, row] of rows.entries()) wide.set(String(index), cellAt(row, name))
    yield wide.row
  }
}
