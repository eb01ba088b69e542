import { anyNumber } from '../bounds.ts'
import type { RE2JS } from 're2js'
import { cellAt, withCells } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { compilePattern, findAll, patternFault } from '../expressions/patterns.ts'
import { asText } from '../expressions/values.ts'
import { boolean, oneColumn, otherwise, type Param } from '../params.ts'
import { setCell, type Cell, type Row } from '../rows.ts'
import { expandRows } from '../stream.ts'
import { fault } from '../text/fault.ts'

const pattern: Param<string> = {
  type: 'pattern',
  doc: 'A regular expression with named groups, such as (?<year>[0-9]{4})',
  raw: true,
  read: (piece) => {
    const reason = reasonAgainst(piece.text)
    return { value: piece.text, shown: piece.text, faults: reason === null ? [] : [fault(piece.start, piece.end, reason, { expected: 'a regular expression with named groups, such as (?<year>[0-9]{4})' })] }
  },
}

export const extract = defineCommand({
  name: 'extract',
  kind: 'map',
  summary: 'Finds a regular expression in a column; its named groups become columns, null where it is not found',
  args: { column: oneColumn('The column'), pattern },
  flags: { all: otherwise(boolean('A row a match; a row without one is dropped'), false) },
  examples: ["addcolumn at '2024-03' || extract at '(?<year>[0-9]{4})-(?<month>[0-9]{2})'", "addcolumn text 'a1 b2' || extract text '(?<letter>[a-z])(?<digit>[0-9])' --all"],
  rows: (input, { flags }) => (flags.all ? anyNumber : input),

  run(batches, { args, flags }) {
    const compiled = compilePattern(args.pattern)
    const names = Object.keys(compiled.namedGroups())
    const nothing = cellsOf(names, () => null)
    return expandRows(batches, function* (row) {
      let found = false
      for (const groups of matchesOf(compiled, cellAt(row, args.column), names)) {
        found = true
        yield withCells(row, groups)
        if (!flags.all) return
      }
      if (!found && !flags.all) yield withCells(row, nothing)
    })
  },
})

function* matchesOf(compiled: RE2JS, cell: Cell, names: readonly string[]): Generator<Row> {
  if (cell === null) return
  for (const matcher of findAll(compiled, asText(cell))) yield cellsOf(names, (name) => matcher.group(name))
}

function cellsOf(names: readonly string[], read: (name: string) => Cell): Row {
  const cells: Row = {}
  for (const name of names) setCell(cells, name, read(name))
  return cells
}

function reasonAgainst(text: string): string | null {
  const reason = patternFault(text)
  if (reason !== null) return `is not a regular expression: ${reason}`
  return Object.keys(compilePattern(text).namedGroups()).length === 0 ? 'the pattern has no named group, and so makes no column' : null
}
