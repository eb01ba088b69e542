import { defineCommand } from '../command.ts'
import { oneColumn } from '../params.ts'
import { parseColumn } from '../parsedColumn.ts'
import { warnOfSome } from '../warnings.ts'

export const flatten = defineCommand({
  name: 'flatten',
  kind: 'map',
  summary: 'Parses JSON in a column and flattens it: column.* in place of it',
  args: { column: oneColumn('The column that holds JSON') },
  flags: {},
  examples: ["addcolumn data '{\"a\": {\"b\": 1}}' || flatten data", "addcolumn data '[1, 2]' || flatten data || normalize data"],

  run(batches, { args, context }) {
    return parseColumn(batches, { column: args.column, parse: JSON.parse, rows: false, warn: warnOfSome(context) })
  },
})
