import { upTo } from '../bounds.ts'
import { cellsAt } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { findText, ignoreCase } from '../findText.ts'
import { column, filledText } from '../params.ts'
import { rowLookup } from '../run.ts'
import { mapBatches } from '../stream.ts'

export const contains = defineCommand({
  name: 'contains',
  kind: 'map',
  summary: 'Keeps the rows that hold a text in a column',
  args: { column: column('Where to look; prefix.* looks in all below a prefix'), text: filledText('The text to look for') },
  flags: { ignoreCase },
  examples: ["seed '[{a: \"green tea\"}, {a: \"coffee\"}]' || contains a tea", "seed '[{tags: [\"Hot\", \"new\"]}, {tags: [\"old\"]}]' || contains tags.* hot --ignoreCase"],
  rows: ({ most }) => upTo(most),

  run(batches, { args, flags, context }) {
    const cells = cellsAt(args.column)
    const holds = findText(flags.ignoreCase)
    return mapBatches(batches, (batch) => batch.filter((row) => holds(cells(row), args.text(row, rowLookup(row, context)))))
  },
})
