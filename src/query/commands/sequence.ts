import { withCells } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { mapRows } from '../stream.ts'

export const sequence = defineCommand({
  name: 'sequence',
  kind: 'map',
  summary: 'Numbers the rows from 0, in the column _sequence',
  args: {},
  flags: {},
  examples: ["seed '[{a: \"x\"}, {a: \"y\"}]' || sequence", 'range 10 20 || sequence || filter "_sequence % 2 == 0"'],

  run(batches) {
    let next = 0
    return mapRows(batches, (row) => withCells(row, { _sequence: next++ }))
  },
})
