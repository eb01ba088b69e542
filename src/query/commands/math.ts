import { replaceColumn, withCells } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { rowMade } from '../dataRows.ts'
import type { Value } from '../expressions/ast.ts'
import { expression, filledColumn } from '../params.ts'
import type { Row } from '../rows.ts'
import { rowLookup } from '../run.ts'
import { mapRows } from '../stream.ts'

export const math = defineCommand({
  name: 'math',
  kind: 'map',
  summary: 'Sets a column to the value of an expression',
  args: { column: filledColumn('The column; $column$ takes its name from the row'), expression: expression('What it becomes; null where it cannot be computed, and column.0, column.1 and so on where it is a list') },
  flags: {},
  examples: ["range 3 || math double 'n * 2'", 'seed \'{price: "9.50", count: 3}\' || math total "round(price * count, 1)"'],

  run(batches, { args, context }) {
    return mapRows(batches, (row) => {
      const lookup = rowLookup(row, context)
      return withValue(row, args.column(row, lookup), args.expression(row, lookup))
    })
  },
})

function withValue(row: Row, name: string, value: Value): Row {
  if (typeof value !== 'object' || value === null) return withCells(row, { [name]: value })
  const items = rowMade({ [name]: value }, `The list for the column ${name}`)
  return Object.hasOwn(row, name) ? replaceColumn(row, name, items) : withCells(row, items)
}
