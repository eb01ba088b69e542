import { upTo } from '../bounds.ts'
import { cellsAt } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { findText, ignoreCase } from '../findText.ts'
import { column, filledText } from '../params.ts'
import { rowLookup } from '../run.ts'
import { mapBatches } from '../stream.ts'

export const excludes = defineCommand({
  name: 'excludes',
  kind: 'map',
  summary: 'Drops the rows that hold a text in a column',
  args: { column: column('Where to look; prefix.* looks in all below a prefix'), text: filledText('The text to look for') },
  flags: { ignoreCase },
  examples: ["seed '[{a: \"green tea\"}, {a: \"coffee\"}]' || excludes a tea", "seed '[{tags: [\"Hot\", \"new\"]}, {tags: [\"old\"]}]' || excludes tags.* hot --ignoreCase"],
  rows: ({ most }) => upTo(most),

  run(batches, { args, flags, context }) {
    const cells = cellsAt(args.column)
    const holds = findText(flags.ignoreCase)
    return mapBatches(batches, (batch) => batch.filter((row) => !holds(cells(row), args.text(row, rowLookup(row, context)))))
  },
})
