import { defineCommand } from '../command.ts'
import { Pace } from '../pace.ts'
import { choice, column, repeatable, rest } from '../params.ts'
import { sortRows } from '../reduce/sortRows.ts'
import { fault } from '../text/fault.ts'

export const sort = defineCommand({
  name: 'sort',
  kind: 'reduce',
  summary: 'Puts rows in the order of columns; numbers as numbers, nulls last',
  args: { columns: rest(column('A column to sort by; the first one counts most')) },
  flags: { order: repeatable(choice('The direction: one for all columns, or one for each', ['ascending', 'descending'])) },
  examples: ['range 5 || sort n --order descending', "seed '[{a: 1, b: 1}, {a: 2, b: 2}, {a: 1, b: 3}]' || sort a b --order ascending --order descending"],
  rows: (input) => input,

  check({ args, flags }, { name }) {
    if (flags.order.length < 2 || flags.order.length === args.columns.length) return []
    return [fault(name.start, name.end, `sort has ${flags.order.length} orders for ${args.columns.length} columns`, { expected: 'one --order for all columns, or one for each' })]
  },

  run(batches, { args, flags, context }) {
    const [common = 'ascending', ...others] = flags.order
    const columns = args.columns.map((name, index) => ({ column: name, order: others.length === 0 ? common : (flags.order[index] ?? common) }))
    return sortRows(batches, columns, context.scratch, new Pace(context.signal))
  },
})
