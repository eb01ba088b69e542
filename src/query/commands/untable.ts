import { cellAt, pickColumns } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { column, rest } from '../params.ts'
import { setCell, type Row } from '../rows.ts'
import { mapRows } from '../stream.ts'

export const untable = defineCommand({
  name: 'untable',
  kind: 'map',
  summary: 'Drops these columns',
  args: { columns: rest(column('A column, or prefix.* for all below a prefix')) },
  flags: {},
  examples: ["seed '{a: 1, b: 2, c: 3}' || untable b", "seed '{a: {x: 1, y: 2}, b: 3}' || untable a.*"],

  run(batches, { args }) {
    const pick = pickColumns(args.columns)
    return mapRows(batches, (row) => {
      const dropped = new Set(pick(row))
      const kept: Row = {}
      for (const name of Object.keys(row)) if (!dropped.has(name)) setCell(kept, name, cellAt(row, name))
      return kept
    })
  },
})
