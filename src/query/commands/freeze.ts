import { defineCommand } from '../command.ts'
import { boolean, choice, filledText, named, optional, otherwise, text } from '../params.ts'

export const freeze = defineCommand({
  name: 'freeze',
  kind: 'sink',
  summary: 'Keeps the rows in a cellar file, or delivers them to a store, and passes them on',
  args: { name: text('Name of the file') },
  flags: {
    store: optional(named('store', 'Name of a store to deliver to instead')),
    key: optional(filledText('Under which key the store keeps them')),
    format: optional(choice('How they are written', ['ndjson', 'json', 'csv', 'parquet'])),
    append: otherwise(boolean('Adds to what is there instead of replacing it'), false),
  },
  neverCached: true,
  examples: ['range 3 || freeze numbers', 'range 3 || freeze numbers --store archive --key numbers.csv --format csv'],
})
