import { withCells } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { filledColumn, value } from '../params.ts'
import { rowLookup } from '../run.ts'
import { mapRows } from '../stream.ts'

export const addcolumn = defineCommand({
  name: 'addcolumn',
  kind: 'map',
  summary: 'Sets a column; as the first stage it makes one row',
  args: { name: filledColumn('The column; $column$ takes its name from the row'), value: value('Its value; $column$ takes one from the row') },
  flags: {},
  examples: ['addcolumn greeting hello', "range 3 || addcolumn label 'row $n$'", 'seed \'{key: "size", value: 7}\' || addcolumn $key$ $value$'],

  run(batches, { args, context }) {
    return mapRows(batches, (row) => {
      const lookup = rowLookup(row, context)
      return withCells(row, { [args.name(row, lookup)]: args.value(row, lookup) })
    })
  },
})
