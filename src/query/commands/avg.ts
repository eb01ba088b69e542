import { exactly, groupsOf } from '../bounds.ts'
import { defineCommand } from '../command.ts'
import { column } from '../params.ts'
import { aggregateRows } from '../reduce/aggregateRows.ts'
import { averageOf } from '../reduce/aggregates.ts'
import { by, groupColumns, hiddenColumn } from '../reduce/byFlag.ts'

export const avg = defineCommand({
  name: 'avg',
  kind: 'reduce',
  summary: 'The mean of the numbers of a column',
  args: { column: column('The column; prefix.* means all below a prefix') },
  flags: { by },
  examples: ['range 10 || avg n', "seed '[{shop: \"a\", price: 1}, {shop: \"b\", price: 2}, {shop: \"a\", price: 4}]' || avg price --by shop"],
  rows: (input, { flags }) => (flags.by === undefined ? exactly(1) : groupsOf(input)),

  check: ({ flags }, written) => hiddenColumn(['avg'], flags.by, written),

  run(batches, { args, flags, context }) {
    return aggregateRows(batches, groupColumns(flags.by), [{ name: 'avg', column: args.column, make: averageOf }], context)
  },
})
