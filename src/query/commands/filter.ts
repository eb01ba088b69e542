import { upTo } from '../bounds.ts'
import { defineCommand } from '../command.ts'
import { isTrue } from '../expressions/values.ts'
import { expression } from '../params.ts'
import { rowLookup } from '../run.ts'
import { mapBatches } from '../stream.ts'

export const filter = defineCommand({
  name: 'filter',
  kind: 'map',
  summary: 'Keeps the rows for which an expression holds',
  args: { condition: expression('What must hold') },
  flags: {},
  examples: ['range 10 || filter "n >= 7"', "seed '[{a: \"x\"}, {a: \"y\"}]' || filter \"a == 'y' or a =~ '^z'\""],
  rows: ({ most }) => upTo(most),

  run(batches, { args, context }) {
    return mapBatches(batches, (batch) => batch.filter((row) => isTrue(args.condition(row, rowLookup(row, context)))))
  },
})
