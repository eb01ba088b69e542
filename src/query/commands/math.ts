import { withCells } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { cellOf, column, expression } from '../params.ts'
import { rowLookup } from '../run.ts'
import { mapRows } from '../stream.ts'

export const math = defineCommand({
  name: 'math',
  kind: 'map',
  summary: 'Sets a column to the value of an expression',
  args: { column: column('The column'), expression: expression('What it becomes; null where it cannot be computed') },
  flags: {},
  examples: ["range 3 || math double 'n * 2'", 'seed \'{price: "9.50", count: 3}\' || math total "round(price * count, 1)"'],

  run(batches, { args, context }) {
    return mapRows(batches, (row) => withCells(row, { [args.column]: cellOf(args.expression(row, rowLookup(row, context))) }))
  },
})
