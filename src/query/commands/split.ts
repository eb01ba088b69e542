import { Problem } from '../../platform/errors.ts'
import { anyNumber } from '../bounds.ts'
import { cellAt, replaceColumn, withCells } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { rowMade } from '../dataRows.ts'
import { asText } from '../expressions/values.ts'
import { boolean, filledText, oneColumn, otherwise } from '../params.ts'
import { maxColumns, type Row } from '../rows.ts'
import { rowLookup } from '../run.ts'
import { expandRows } from '../stream.ts'

export const split = defineCommand({
  name: 'split',
  kind: 'map',
  summary: 'Cuts the text of a column: column.0, column.1 and so on in place of it',
  args: { column: oneColumn('The column'), separator: filledText('What stands between the parts; an empty one cuts into characters') },
  flags: { rows: otherwise(boolean('A row a part, in the same column'), false) },
  examples: ["addcolumn tags 'a,b,c' || split tags ,", "addcolumn tags 'a,b,c' || split tags , --rows"],
  rows: (input, { flags }) => (flags.rows ? anyNumber : input),

  run(batches, { args, flags, context }) {
    return expandRows(batches, function* (row) {
      const cell = cellAt(row, args.column)
      if (cell === null) return yield row
      const parts = cut(asText(cell), args.separator(row, rowLookup(row, context)))
      if (flags.rows) for (const part of parts) yield withCells(row, { [args.column]: part })
      else yield replaceColumn(row, args.column, numbered(args.column, parts))
    })
  },
})

/** Characters, not code units, where nothing stands between the parts. */
const cut = (text: string, separator: string): string[] => (separator === '' ? Array.from(text) : text.split(separator))

function numbered(name: string, parts: readonly string[]): Row {
  if (parts.length > maxColumns) throw new Problem('unprocessable', `The split of ${name} makes ${parts.length} columns, and a row holds ${maxColumns}. Use --rows for a row a part.`)
  return rowMade({ [name]: parts }, `The split of ${name}`)
}
