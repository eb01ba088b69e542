import { DateTime } from 'luxon'
import { cellAt, withCells } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { asText } from '../expressions/values.ts'
import { oneColumn, optional, otherwise, type Param } from '../params.ts'
import { mapRows } from '../stream.ts'
import { fault } from '../text/fault.ts'
import { formatFault, readCommon, readFormatted, timestampCells } from '../times.ts'
import { warnOfSome } from '../warnings.ts'

const zone: Param<string> = {
  type: 'zone',
  doc: 'The time zone of times that name none, such as Europe/Berlin or UTC+2',
  constant: true,
  read: (piece) => {
    const known = DateTime.utc().setZone(piece.text).isValid
    const faults = known ? [] : [fault(piece.start, piece.end, `there is no time zone ${piece.text}`, { expected: 'a name such as Europe/Berlin, or UTC+2' })]
    return { value: piece.text, shown: piece.text, faults }
  },
}

/** No way to write a time is longer, and to try one costs time. */
const longestFormat = 200

const format: Param<string> = {
  type: 'text',
  doc: 'How the time is written, such as dd/MM/yyyy HH:mm; else the common ways are tried',
  constant: true,
  read: (piece) => {
    const reason = piece.text.length > longestFormat ? `it has more than ${longestFormat} characters` : formatFault(piece.text)
    const faults = reason === null ? [] : [fault(piece.start, piece.end, `is no format of times: ${reason}`, { expected: 'letters that go together, such as dd/MM/yyyy HH:mm or hh:mm a' })]
    return { value: piece.text, shown: piece.text, faults }
  },
}

export const parseTimestamp = defineCommand({
  name: 'parseTimestamp',
  kind: 'map',
  summary: 'Reads the time in a column: _timestamp.epoch in milliseconds, _timestamp.iso; null where it is none',
  args: { column: oneColumn('The column that holds the time') },
  flags: {
    format: optional(format),
    zone: otherwise(zone, 'UTC'),
  },
  examples: [
    "addcolumn at '2024-03-01T12:00:00+01:00' || parseTimestamp at",
    "addcolumn at '01/03/2024 12:00' || parseTimestamp at --format 'dd/MM/yyyy HH:mm' --zone Europe/Berlin",
  ],

  run(batches, { args, flags, context }) {
    const read = flags.format === undefined ? readCommon(flags.zone) : readFormatted(flags.format, flags.zone)
    const warn = warnOfSome(context)
    return mapRows(batches, (row) => {
      const cell = cellAt(row, args.column)
      const epochMs = read(cell)
      if (epochMs === null) warn(`${args.column} is not a time that can be read: ${asText(cell).slice(0, 100)}; --format tells how it is written`)
      return withCells(row, timestampCells(epochMs))
    })
  },
})
