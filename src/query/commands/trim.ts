import { changeTexts } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { column, rest } from '../params.ts'
import { mapRows } from '../stream.ts'

export const trim = defineCommand({
  name: 'trim',
  kind: 'map',
  summary: 'Takes white space off both ends of the text of columns',
  args: { columns: rest(column('A column, or prefix.* for all below a prefix')) },
  flags: {},
  examples: ["seed '{name: \" Ada \"}' || trim name", "seed '{a: \" x \", b: \" y\"}' || trim a b"],

  run(batches, { args }) {
    return mapRows(batches, changeTexts(args.columns, (text) => text.trim()))
  },
})
