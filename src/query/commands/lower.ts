import { changeTexts } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { column, rest } from '../params.ts'
import { mapRows } from '../stream.ts'

export const lower = defineCommand({
  name: 'lower',
  kind: 'map',
  summary: 'Makes the text of columns lower case',
  args: { columns: rest(column('A column, or prefix.* for all below a prefix')) },
  flags: {},
  examples: ["seed '{name: \"ADA\"}' || lower name", "seed '{a: {x: \"X\", y: \"Y\"}}' || lower a.*"],

  run(batches, { args }) {
    return mapRows(batches, changeTexts(args.columns, (text) => text.toLowerCase()))
  },
})
