import { groupsOf } from '../bounds.ts'
import { defineCommand } from '../command.ts'
import { Pace } from '../pace.ts'
import { column, optional, rest } from '../params.ts'
import { firstOfEquals } from '../reduce/firstOfEquals.ts'
import { rowKey } from '../reduce/rowKey.ts'
import { plainRows } from '../spill/form.ts'

export const dedupe = defineCommand({
  name: 'dedupe',
  kind: 'reduce',
  summary: 'Keeps the first of rows that are equal, in some columns or in all',
  args: { columns: optional(rest(column('A column that must be equal, or prefix.* for all below a prefix'))) },
  flags: {},
  examples: ["seed '[{a: 1}, {a: 1}, {a: 2}]' || dedupe", "seed '[{a: 1, b: 1}, {a: 1, b: 2}]' || dedupe a"],
  rows: groupsOf,

  run(batches, { args, context: { scratch, signal } }) {
    return firstOfEquals(batches, plainRows(), rowKey(args.columns ?? []), { scratch, pace: new Pace(signal), level: 0 })
  },
})
