import { exactly, groupsOf } from '../bounds.ts'
import { defineCommand } from '../command.ts'
import { column } from '../params.ts'
import { aggregateRows } from '../reduce/aggregateRows.ts'
import { sumOf } from '../reduce/aggregates.ts'
import { by, groupColumns, hiddenColumn } from '../reduce/byFlag.ts'

export const sum = defineCommand({
  name: 'sum',
  kind: 'reduce',
  summary: 'Adds the numbers of a column',
  args: { column: column('The column; prefix.* means all below a prefix') },
  flags: { by },
  examples: ['range 10 || sum n', "seed '[{shop: \"a\", price: 1}, {shop: \"b\", price: 2}, {shop: \"a\", price: 4}]' || sum price --by shop"],
  rows: (input, { flags }) => (flags.by === undefined ? exactly(1) : groupsOf(input)),

  check: ({ flags }, written) => hiddenColumn(['sum'], flags.by, written),

  run(batches, { args, flags, context }) {
    return aggregateRows(batches, groupColumns(flags.by), [{ name: 'sum', column: args.column, make: sumOf }], context)
  },
})
