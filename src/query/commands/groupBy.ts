import { cellAt } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { column, rest } from '../params.ts'
import { Groups, type Group } from '../reduce/groups.ts'
import { WideRow } from '../reduce/wideRow.ts'
import type { Row } from '../rows.ts'
import { inBatches } from '../stream.ts'

export const groupBy = defineCommand({
  name: 'groupBy',
  kind: 'reduce',
  summary: 'Makes one row of rows that are equal in some columns: these columns, and _group.N.<column> for each row',
  args: { columns: rest(column('A column that must be equal, or prefix.* for all below a prefix')) },
  flags: {},
  examples: ["seed '[{shop: \"a\", price: 1}, {shop: \"b\", price: 2}, {shop: \"a\", price: 3}]' || groupBy shop", "seed '[{a: 1, b: 1, c: 2}, {a: 1, b: 1, c: 3}]' || groupBy a b"],

  async *run(batches, { args }) {
    const groups = new Groups(args.columns, (): Row[] => [])
    for await (const batch of batches) for (const row of batch) groups.of(row).push(row)
    yield* inBatches(groupRows(groups.all()))
  },
})

function* groupRows(groups: Iterable<Group<Row[]>>): Generator<Row> {
  for (const { key, state } of groups) {
    const wide = new WideRow(key, 'groupBy')
    for (const [index, row] of state.entries()) for (const name of Object.keys(row)) wide.set(`_group.${index}.${name}`, cellAt(row, name))
    yield wide.row
  }
}
