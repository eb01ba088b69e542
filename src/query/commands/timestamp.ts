import { withCells } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { timestampCells } from '../times.ts'
import { mapBatches } from '../stream.ts'

export const timestamp = defineCommand({
  name: 'timestamp',
  kind: 'map',
  summary: 'Adds the present time: _timestamp.epoch in milliseconds, _timestamp.iso',
  args: {},
  flags: {},
  examples: ['timestamp', 'range 3 || timestamp || table n _timestamp.iso'],
  neverCached: true,

  run(batches, { context }) {
    return mapBatches(batches, (batch) => {
      const cells = timestampCells(Number(context.lookup('TIMESTAMP')))
      return batch.map((row) => withCells(row, cells))
    })
  },
})
