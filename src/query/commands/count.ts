import { exactly, groupsOf } from '../bounds.ts'
import { defineCommand } from '../command.ts'
import { aggregateRows } from '../reduce/aggregateRows.ts'
import { countAll } from '../reduce/aggregates.ts'
import { by, groupColumns, hiddenColumn } from '../reduce/byFlag.ts'

export const count = defineCommand({
  name: 'count',
  kind: 'reduce',
  summary: 'Counts rows',
  args: {},
  flags: { by },
  examples: ['range 10 || count', "seed '[{shop: \"a\"}, {shop: \"b\"}, {shop: \"a\"}]' || count --by shop"],
  rows: (input, { flags }) => (flags.by === undefined ? exactly(1) : groupsOf(input)),

  check: ({ flags }, written) => hiddenColumn(['count'], flags.by, written),

  run(batches, { flags, context }) {
    return aggregateRows(batches, groupColumns(flags.by), [{ name: 'count', make: countAll }], context)
  },
})
