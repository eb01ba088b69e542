import { cutAt } from '../bounds.ts'
import { defineCommand } from '../command.ts'
import { integer } from '../params.ts'
import { firstRows } from '../stream.ts'

export const head = defineCommand({
  name: 'head',
  kind: 'map',
  summary: 'Keeps the first rows',
  args: { count: integer('How many rows to keep') },
  flags: {},
  examples: ['range 10 || head 3', "seed '[{a: 1}, {a: 2}]' || head 1"],
  rows: (input, { args }) => cutAt(input, args.count),

  run(batches, { args }) {
    return firstRows(batches, args.count)
  },
})
