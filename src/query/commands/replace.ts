import type { RE2JS } from 're2js'
import { Problem } from '../../platform/errors.ts'
import { cellAt, pickColumns } from '../columns.ts'
import { defineCommand } from '../command.ts'
import type { Lookup } from '../expressions/compile.ts'
import { compilePattern, patternFault } from '../expressions/patterns.ts'
import { readReplacement, replaceMatches, unknownGroup } from '../expressions/replacement.ts'
import { fillText } from '../filled.ts'
import { boolean, column, filledText, otherwise, type Filled, type Param } from '../params.ts'
import { setCell, type Row } from '../rows.ts'
import { rowLookup } from '../run.ts'
import { mapRows } from '../stream.ts'
import { fault } from '../text/fault.ts'
import { readOwnTokens } from '../text/fill.ts'
import { replaceMade } from '../text/made.ts'

/** A text that is read in one of two ways: with tokens, or as part of a regular expression, where a dollar has another meaning. */
interface Either {
  readonly raw: string
  readonly filled: Filled<string>
}

function either(doc: string): Param<Either> {
  const filled = filledText(doc)
  return {
    type: filled.type,
    doc,
    read: (piece) => {
      const read = filled.read(piece)
      return { ...read, value: { raw: piece.text, filled: read.value } }
    },
  }
}

export const replace = defineCommand({
  name: 'replace',
  kind: 'map',
  summary: 'Replaces every occurrence of a text in a column',
  args: {
    column: column('The column, or prefix.* for all below a prefix'),
    text: either('What is replaced'),
    with: either('What stands there instead; with --regex $1 and $<name> are groups'),
  },
  flags: { regex: otherwise(boolean('What is replaced is a regular expression'), false) },
  examples: ["addcolumn price '1,299' || replace price , ''", "addcolumn name 'Lovelace, Ada' || replace name '([a-zA-Z]+), ([a-zA-Z]+)' '$2 $1' --regex"],

  check({ args, flags }, { values }) {
    const [, place = values[0]] = values
    if (!flags.regex || !place || readOwnTokens(args.text.raw).some((part) => 'token' in part)) return []
    const reason = reasonAgainst(args.text.raw, args.with.raw)
    return reason === null ? [] : [fault(place.start, place.end, reason, { expected: 'a regular expression, with a group for each $1 or $<name> of the replacement' })]
  },

  run(batches, { args, flags, context }) {
    const pick = pickColumns([args.column])
    const change = flags.regex ? byPattern(patternFrom(args, context.lookup), args.with.raw) : byText(args.text.filled, args.with.filled)
    return mapRows(batches, (row) => {
      const changed = { ...row }
      const lookup = rowLookup(row, context)
      for (const name of pick(row)) {
        const cell = cellAt(row, name)
        if (typeof cell === 'string') setCell(changed, name, change(cell, row, lookup))
      }
      return changed
    })
  },
})

type Change = (text: string, row: Row, lookup: Lookup) => string

function byText(what: Filled<string>, by: Filled<string>): Change {
  return (text, row, lookup) => {
    const searched = what(row, lookup)
    return searched === '' || !text.includes(searched) ? text : replaceMade(text, searched, by(row, lookup))
  }
}

function byPattern(pattern: RE2JS, written: string): Change {
  const parts = [...readReplacement(written)]
  return (text, _row, lookup) => replaceMatches(text, pattern, parts, lookup)
}

/** The pattern with its tokens filled in; what is wrong then is told when the stage starts. */
function patternFrom({ text, with: by }: { readonly text: Either; readonly with: Either }, lookup: Lookup): RE2JS {
  const pattern = fillText(readOwnTokens(text.raw))({}, lookup)
  const reason = reasonAgainst(pattern, by.raw)
  if (reason !== null) throw new Problem('unprocessable', `${text.raw.slice(0, 100)}: ${reason}. Give replace another pattern.`)
  return compilePattern(pattern)
}

function reasonAgainst(pattern: string, written: string): string | null {
  const reason = patternFault(pattern)
  if (reason !== null) return `is not a regular expression: ${reason}`
  const group = unknownGroup(compilePattern(pattern), readReplacement(written))
  return group === null ? null : `the pattern has no group ${group}`
}
