import { defineCommand } from '../command.ts'
import { named, optional, text } from '../params.ts'

export const thaw = defineCommand({
  name: 'thaw',
  kind: 'generate',
  summary: 'The rows of a cellar file, or of a store',
  args: { name: text('Name of the file') },
  flags: { store: optional(named('store', 'Name of a store to read from instead')), key: optional(text('What to read from the store')) },
  examples: ['thaw prices', 'thaw prices --store archive --key 2026/prices.ndjson'],
})
