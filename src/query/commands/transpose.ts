import { anyNumber } from '../bounds.ts'
import { cellAt } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { Pace } from '../pace.ts'
import { tooWide, WideRow } from '../reduce/wideRow.ts'
import { maxColumns, type Batch } from '../rows.ts'
import { HeldBatches } from '../spill/heldBatches.ts'
import { batchRows } from '../stream.ts'

/** Cells that a batch holds at most, unless one row has more. */
const batchCells = 1_000_000

export const transpose = defineCommand({
  name: 'transpose',
  kind: 'reduce',
  summary: 'Makes a row of each column: its name in the column `column`, its values in 0, 1, …',
  args: {},
  flags: {},
  examples: ["seed '[{a: 1, b: 2}, {a: 3, b: 4}]' || transpose", 'range 3 || transpose'],
  rows: () => anyNumber,

  async *run(batches, { context: { scratch, signal } }) {
    const held = new HeldBatches(scratch)
    const names = new Set<string>()
    for await (const batch of batches) {
      for (const row of batch) for (const name of Object.keys(row)) names.add(name)
      await held.add(batch)
      if (held.rows > maxColumns && names.size > 0) throw tooWide('transpose')
    }
    const columns = [...names]
    const size = Math.min(batchRows, Math.ceil(batchCells / (held.rows + 1)))
    for (let at = 0; at < columns.length; at += size) yield await columnRows(held, columns.slice(at, at + size), new Pace(signal))
    await held.drop()
  },
})

/** Reads all rows once for some of their columns. */
async function columnRows(held: HeldBatches, names: readonly string[], pace: Pace): Promise<Batch> {
  const columns = names.map((name) => ({ name, wide: new WideRow({ column: name }, 'transpose') }))
  let place = 0
  for await (const batch of held.read()) {
    for (const row of batch) {
      for (const { name, wide } of columns) wide.set(String(place), cellAt(row, name))
      place += 1
    }
    await pace.giveWay()
  }
  return columns.map(({ wide }) => wide.row)
}
