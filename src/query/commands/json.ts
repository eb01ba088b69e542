import { anyNumber } from '../bounds.ts'
import { defineCommand } from '../command.ts'
import { boolean, oneColumn, otherwise } from '../params.ts'
import { parseColumn } from '../parsedColumn.ts'
import { warnOfSome } from '../warnings.ts'

export const json = defineCommand({
  name: 'json',
  kind: 'map',
  summary: 'Parses JSON in a column: column.* in place of it',
  args: { column: oneColumn('The column that holds JSON') },
  flags: { rows: otherwise(boolean('A row an item of a list'), false) },
  examples: ["addcolumn data '{\"a\": {\"b\": 1}}' || json data", "addcolumn data '[{\"a\": 1}, {\"a\": 2}]' || json data --rows"],
  rows: (input, { flags }) => (flags.rows ? anyNumber : input),

  run(batches, { args, flags, context }) {
    return parseColumn(batches, { column: args.column, parse: JSON.parse, rows: flags.rows, warn: warnOfSome(context) })
  },
})
