import { cutAt } from '../bounds.ts'
import { defineCommand } from '../command.ts'
import { integer } from '../params.ts'
import type { Row } from '../rows.ts'
import { batchRows, inBatches } from '../stream.ts'

export const tail = defineCommand({
  name: 'tail',
  kind: 'reduce',
  summary: 'Keeps the last rows',
  args: { count: integer('How many rows to keep') },
  flags: {},
  examples: ['range 10 || tail 3', "seed '[{a: 1}, {a: 2}]' || tail 1"],
  rows: (input, { args }) => cutAt(input, args.count),

  async *run(batches, { args }) {
    let rows: Row[] = []
    for await (const batch of batches) {
      for (const row of batch) rows.push(row)
      // Cut only when as many rows are too many as are kept, so that a row is moved a bounded number of times.
      if (rows.length >= 2 * args.count + batchRows) rows = rows.slice(rows.length - args.count)
    }
    yield* inBatches(rows.slice(Math.max(0, rows.length - args.count)))
  },
})
