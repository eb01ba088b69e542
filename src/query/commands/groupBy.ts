import { groupsOf } from '../bounds.ts'
import { defineCommand } from '../command.ts'
import { Pace } from '../pace.ts'
import { column, rest } from '../params.ts'
import { groupRows } from '../reduce/groupRows.ts'
import { plainRows } from '../spill/form.ts'

export const groupBy = defineCommand({
  name: 'groupBy',
  kind: 'reduce',
  summary: 'Makes one row of rows that are equal in some columns: these columns, and _group.N.<column> for each row',
  args: { columns: rest(column('A column that must be equal, or prefix.* for all below a prefix')) },
  flags: {},
  examples: ["seed '[{shop: \"a\", price: 1}, {shop: \"b\", price: 2}, {shop: \"a\", price: 3}]' || groupBy shop", "seed '[{a: 1, b: 1, c: 2}, {a: 1, b: 1, c: 3}]' || groupBy a b"],
  rows: groupsOf,

  run(batches, { args, context: { scratch, signal } }) {
    return groupRows(batches, plainRows(), args.columns, { scratch, pace: new Pace(signal), level: 0 })
  },
})
