import { defineCommand } from '../command.ts'
import { column, optional, rest } from '../params.ts'
import { rowKey, shortKey } from '../reduce/rowKey.ts'
import type { Cell } from '../rows.ts'
import { mapBatches } from '../stream.ts'

export const dedupe = defineCommand({
  name: 'dedupe',
  kind: 'reduce',
  summary: 'Keeps the first of rows that are equal, in some columns or in all',
  args: { columns: optional(rest(column('A column that must be equal, or prefix.* for all below a prefix'))) },
  flags: {},
  examples: ["seed '[{a: 1}, {a: 1}, {a: 2}]' || dedupe", "seed '[{a: 1, b: 1}, {a: 1, b: 2}]' || dedupe a"],

  run(batches, { args }) {
    const keyOf = rowKey(args.columns ?? [])
    const seen = new Set<Cell>()
    return mapBatches(batches, (batch) =>
      batch.filter((row) => {
        const before = seen.size
        return seen.add(shortKey(keyOf(row))).size > before
      }),
    )
  },
})
