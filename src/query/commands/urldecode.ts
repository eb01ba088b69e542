import { changeTexts } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { column, rest } from '../params.ts'
import { mapRows } from '../stream.ts'

export const urldecode = defineCommand({
  name: 'urldecode',
  kind: 'map',
  summary: 'Decodes the percent signs in the text of columns',
  args: { columns: rest(column('A column, or prefix.* for all below a prefix')) },
  flags: {},
  examples: ["seed '{q: \"a%20b\"}' || urldecode q", "seed '{a: \"%C3%A9\", b: \"100%\"}' || urldecode a b"],

  run(batches, { args }) {
    return mapRows(batches, changeTexts(args.columns, (text) => text.replace(encodedRuns, decode)))
  },
})

const encodedRuns = /(?:%[0-9a-f]{2})+/gi

/** What is no UTF-8 stays as it is written. */
function decode(run: string): string {
  try {
    return decodeURIComponent(run)
  } catch {
    return run
  }
}
