import { anyNumber, exactly, type Bounds } from '../bounds.ts'
import { defineCommand } from '../command.ts'
import { rowMade } from '../dataRows.ts'
import { data } from '../jsonParams.ts'
import { inBatches } from '../stream.ts'

export const seed = defineCommand({
  name: 'seed',
  kind: 'generate',
  summary: 'Makes rows of JSON: a list gives a row an item, an object one row',
  args: { data: data('The rows, in lenient JSON') },
  flags: {},
  examples: ["seed '[{name: \"Ada\"}, {name: \"Grace\"}]'", 'seed \'{"a": {"b": [1, 2]}}\''],
  rows: (_input, { shown: [data] }) => rowsIn(data),

  run(_batches, { args, context }) {
    const data = args.data({}, context.lookup)
    return inBatches((Array.isArray(data) ? (data as unknown[]) : [data]).map((item) => rowMade(item, 'The data of seed')))
  },
})

/** A text that holds a token may become a list. */
function rowsIn(data: unknown): Bounds {
  if (Array.isArray(data)) return exactly(data.length)
  return typeof data === 'string' && data.includes('$') ? anyNumber : exactly(1)
}
