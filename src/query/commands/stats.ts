import { Problem } from '../../platform/errors.ts'
import { exactly, groupsOf } from '../bounds.ts'
import { defineCommand } from '../command.ts'
import { piece, rest } from '../params.ts'
import { aggregateRows } from '../reduce/aggregateRows.ts'
import { aggregateNames } from '../reduce/aggregates.ts'
import { asksForGroups, readStats } from '../reduce/readStats.ts'

export const stats = defineCommand({
  name: 'stats',
  kind: 'reduce',
  summary: 'Gathers columns into counts, sums and the like, for all rows or by groups',
  args: {
    aggregates: rest(piece('aggregate', 'Aggregates, each with an optional `as name`, then an optional `by` and columns', ['count', ...aggregateNames.map((name) => `${name}()`), 'as', 'by'])),
  },
  flags: {},
  examples: [
    "seed '[{shop: \"a\", price: 1}, {shop: \"b\", price: 2}, {shop: \"a\", price: 3}]' || stats count sum(price) as total by shop",
    'range 100 || stats avg(n) p95(n) stdev(n) as deviation',
  ],
  rows: (input, { args }) => (asksForGroups(args.aggregates) ? groupsOf(input) : exactly(1)),

  check({ args }) {
    return readStats(args.aggregates).faults
  },

  run(batches, { args, context }) {
    const { by, columns, faults: [wrong] } = readStats(args.aggregates)
    if (wrong) throw new Problem('unprocessable', `stats cannot be asked for this: ${wrong.message}.`) // a token was filled in
    return aggregateRows(batches, by, columns, context)
  },
})
