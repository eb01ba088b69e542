import { exactly, groupsOf, upTo } from '../bounds.ts'
import { defineCommand } from '../command.ts'
import { boolean, column, otherwise } from '../params.ts'
import { aggregateRows } from '../reduce/aggregateRows.ts'
import { extremeOf } from '../reduce/aggregates.ts'
import { by, groupColumns, hiddenColumn } from '../reduce/byFlag.ts'
import { extremeRows } from '../reduce/extremeRows.ts'

export const max = defineCommand({
  name: 'max',
  kind: 'reduce',
  summary: 'The greatest value of a column, or the row that holds it',
  args: { column: column('The column; prefix.* means all below a prefix') },
  flags: { by, row: otherwise(boolean('Answers with the whole row that holds the value'), false) },
  examples: ['range 10 || max n', "seed '[{shop: \"a\", price: 1}, {shop: \"b\", price: 2}, {shop: \"a\", price: 4}]' || max price --by shop --row"],
  rows: (input, { flags }) => (flags.row ? upTo(flags.by === undefined ? 1 : input.most) : flags.by === undefined ? exactly(1) : groupsOf(input)),

  check: ({ flags }, written) => (flags.row ? [] : hiddenColumn(['max'], flags.by, written)),

  run(batches, { args, flags, context }) {
    if (flags.row) return extremeRows(batches, groupColumns(flags.by), args.column, 'max', context)
    return aggregateRows(batches, groupColumns(flags.by), [{ name: 'max', column: args.column, ...extremeOf('max') }], context)
  },
})
