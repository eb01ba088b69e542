import { upTo } from '../bounds.ts'
import { defineCommand } from '../command.ts'
import { findText, ignoreCase } from '../findText.ts'
import { filledText } from '../params.ts'
import { rowLookup } from '../run.ts'
import { mapBatches } from '../stream.ts'

export const find = defineCommand({
  name: 'find',
  kind: 'map',
  summary: 'Keeps the rows that hold a text in any column',
  args: { text: filledText('The text to look for') },
  flags: { ignoreCase },
  examples: ["seed '[{a: \"green tea\"}, {b: \"coffee\"}]' || find tea", "seed '[{a: \"Tea\"}, {b: \"coffee\"}]' || find TEA --ignoreCase"],
  rows: ({ most }) => upTo(most),

  run(batches, { args, flags, context }) {
    const holds = findText(flags.ignoreCase)
    return mapBatches(batches, (batch) => batch.filter((row) => holds(Object.values(row), args.text(row, rowLookup(row, context)))))
  },
})
