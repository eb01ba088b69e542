import { Problem } from '../../platform/errors.ts'
import { defineCommand } from '../command.ts'
import { fileName } from '../fileName.ts'
import { named, optional, text } from '../params.ts'
import { fault } from '../text/fault.ts'

export const thaw = defineCommand({
  name: 'thaw',
  kind: 'generate',
  summary: 'The rows of a cellar file, or of a store',
  args: { name: fileName('Name of the file') },
  flags: { store: optional(named('store', 'Name of a store to read from instead')), key: optional(text('What to read from the store')) },
  examples: ['thaw prices', 'thaw prices --store archive --key 2026/prices.ndjson'],

  check({ flags }, { name }) {
    if ((flags.store === undefined) === (flags.key === undefined)) return []
    const lacks = flags.store === undefined ? 'a --key, but no --store that it could be read from' : 'a --store, but no --key that says what to read from it'
    const message = `thaw has ${lacks}`
    return [fault(name.start, name.end, message, { expected: '--store and --key together, or neither' })]
  },

  run(_batches, { args, flags, context }) {
    if (flags.store !== undefined) {
      throw new Problem('not_built', `Reading from stores is not built yet; leave out --store to read the cellar file ${JSON.stringify(args.name)}.`)
    }
    return context.outside.cellar.rows(args.name)
  },
})
