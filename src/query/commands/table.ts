import { keepColumns } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { column, rest } from '../params.ts'
import { mapRows } from '../stream.ts'

export const table = defineCommand({
  name: 'table',
  kind: 'map',
  summary: 'Keeps these columns, in this order',
  args: { columns: rest(column('A column, or prefix.* for all below a prefix')) },
  flags: {},
  examples: ["seed '{a: 1, b: 2, c: 3}' || table c a", "seed '{a: {x: 1, y: 2}, b: 3}' || table a.*"],

  run(batches, { args }) {
    return mapRows(batches, keepColumns(args.columns))
  },
})
