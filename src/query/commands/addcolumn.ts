import { withCells } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { column, value } from '../params.ts'
import { rowLookup } from '../run.ts'
import { mapRows } from '../stream.ts'

export const addcolumn = defineCommand({
  name: 'addcolumn',
  kind: 'map',
  summary: 'Sets a column; as the first stage it makes one row',
  args: { name: column('The column'), value: value('Its value; $column$ takes one from the row') },
  flags: {},
  examples: ['addcolumn greeting hello', "range 3 || addcolumn label 'row $n$'"],

  run(batches, { args, context }) {
    return mapRows(batches, (row) => withCells(row, { [args.name]: args.value(row, rowLookup(row, context)) }))
  },
})
