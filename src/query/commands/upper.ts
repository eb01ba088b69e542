import { changeTexts } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { column, rest } from '../params.ts'
import { mapRows } from '../stream.ts'

export const upper = defineCommand({
  name: 'upper',
  kind: 'map',
  summary: 'Makes the text of columns upper case',
  args: { columns: rest(column('A column, or prefix.* for all below a prefix')) },
  flags: {},
  examples: ["seed '{name: \"ada\"}' || upper name", "seed '{a: {x: \"x\", y: \"y\"}}' || upper a.*"],

  run(batches, { args }) {
    return mapRows(batches, changeTexts(args.columns, (text) => text.toUpperCase()))
  },
})
