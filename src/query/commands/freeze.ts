import { Problem } from '../../platform/errors.ts'
import { defineCommand } from '../command.ts'
import { fileName } from '../fileName.ts'
import { frozenFormat } from '../formats/frozenFormat.ts'
import { boolean, choice, filledText, named, optional, otherwise } from '../params.ts'
import { passOn } from '../passOn.ts'
import { fault } from '../text/fault.ts'

export const freeze = defineCommand({
  name: 'freeze',
  kind: 'sink',
  summary: 'Keeps the rows in a cellar file, or delivers them to a store, and passes them on',
  args: { name: fileName('Name of the file') },
  flags: {
    store: optional(named('store', 'Name of a store to deliver to instead')),
    key: optional(filledText('Under which key the store keeps them')),
    format: optional(choice('How they are written', ['ndjson', 'json', 'csv', 'parquet'])),
    append: otherwise(boolean('Adds to what is there instead of replacing it'), false),
  },
  neverCached: true,
  examples: ['range 3 || freeze numbers', 'range 3 || freeze numbers --store archive --key numbers.csv --format csv'],

  check({ args, flags }, { name }) {
    if (flags.store !== undefined) return []
    const faults = []
    if (flags.key !== undefined) {
      faults.push(fault(name.start, name.end, 'freeze has a --key, but no --store that could keep the rows under it', { expected: '--store and --key together' }))
    }
    if (flags.append && frozenFormat(args.name, flags.format) === 'parquet') {
      faults.push(fault(name.start, name.end, 'rows cannot be appended to a Parquet file', { expected: '--append with the format ndjson, csv or json' }))
    }
    return faults
  },

  run(batches, { args, flags, context }) {
    if (flags.store !== undefined) {
      throw new Problem('not_built', `Delivery to stores is not built yet; leave out --store to keep the rows in the cellar file ${JSON.stringify(args.name)}.`)
    }
    const writing = context.outside.cellar.write(args.name, { format: frozenFormat(args.name, flags.format), append: flags.append })
    return passOn(batches, writing, context.signal)
  },
})
