import { changeTexts } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { column, rest } from '../params.ts'
import { mapRows } from '../stream.ts'

export const urlencode = defineCommand({
  name: 'urlencode',
  kind: 'map',
  summary: 'Encodes the text of columns for use in an address',
  args: { columns: rest(column('A column, or prefix.* for all below a prefix')) },
  flags: {},
  examples: ["seed '{q: \"a b&c\"}' || urlencode q", "seed '{a: \"é\", b: \"/\"}' || urlencode a b"],

  run(batches, { args }) {
    return mapRows(batches, changeTexts(args.columns, (text) => encodeURIComponent(text.toWellFormed())))
  },
})
