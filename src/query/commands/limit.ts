import { cutAt } from '../bounds.ts'
import { defineCommand } from '../command.ts'
import { integer, otherwise } from '../params.ts'
import { firstRows } from '../stream.ts'

export const limit = defineCommand({
  name: 'limit',
  kind: 'map',
  summary: 'Keeps the first rows',
  args: { count: integer('How many rows to keep') },
  flags: { offset: otherwise(integer('How many rows to pass over first'), 0) },
  examples: ['range 10 || limit 3', 'range 10 || limit 3 --offset 2'],
  rows: ({ least, most }, { args, flags }) => {
    const left = { least: Math.max(0, least - flags.offset), most: most === null ? null : Math.max(0, most - flags.offset) }
    return cutAt(left, args.count)
  },

  run(batches, { args, flags }) {
    return firstRows(batches, args.count, flags.offset)
  },
})
