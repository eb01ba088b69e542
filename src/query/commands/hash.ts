import { createHash } from 'node:crypto'
import { cellAt, isPattern, pickColumns, withCells } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { column, optional, rest } from '../params.ts'
import type { Cell, Row } from '../rows.ts'
import { mapRows } from '../stream.ts'

export const hash = defineCommand({
  name: 'hash',
  kind: 'map',
  summary: 'Adds _hash, the SHA-256 of the values of columns, or of the whole row',
  args: { columns: optional(rest(column('A column, or prefix.* for all below a prefix; none for the whole row'))) },
  flags: {},
  examples: ["seed '{a: 1, b: \"x\"}' || hash a b", "seed '{a: 1, b: \"x\"}' || hash"],

  run(batches, { args }) {
    const read = args.columns?.length ? valuesOf(args.columns) : wholeRow
    return mapRows(batches, (row) => withCells(row, { _hash: createHash('sha256').update(read(row)).digest('hex') }))
  },
})

/** The JSON of the values, joined; a missing column counts as null, so that values cannot move into its place. */
function valuesOf(names: readonly string[]): (row: Row) => string {
  const readers = names.map((name): ((row: Row) => Cell[]) => {
    const pick = pickColumns([name])
    return isPattern(name) ? (row) => pick(row).map((found) => cellAt(row, found)) : (row) => [cellAt(row, name)]
  })
  return (row) => readers.flatMap((reader) => reader(row)).map((cell) => JSON.stringify(cell)).join(',')
}

/** The row as JSON with its columns sorted: equal rows are equal in any order of columns. */
function wholeRow(row: Row): string {
  return `{${Object.keys(row).toSorted().map((name) => `${JSON.stringify(name)}:${JSON.stringify(cellAt(row, name))}`).join(',')}}`
}
