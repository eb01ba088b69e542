import { Problem } from '../../platform/errors.ts'
import type { Fault } from '../../query/text/fault.ts'
import { Places } from '../../query/text/place.ts'

/** A fault of a query's text as clients see it. */
export interface ShownFault {
  readonly message: string
  readonly line: number
  readonly column: number
  readonly length: number
  readonly hint?: string
}

/** Faults with their places in lines and columns. */
export function showFaults(places: Places, faults: readonly Fault[], lineOffset = 0): ShownFault[] {
  return faults.map(({ start, end, message, hint, expected }) => {
    const place = places.of(start, end)
    const advice = hint === undefined ? expected && `expected: ${expected}` : `did you mean ${hint}?`
    return { message, ...place, line: place.line + lineOffset, ...(advice ? { hint: advice } : {}) }
  })
}

/** The problem of a query that cannot be understood: its first fault at the top, all of them in `errors`. */
export function querySyntax(text: string, faults: readonly Fault[], lineOffset = 0): Problem {
  const shown = showFaults(new Places(text), faults, lineOffset)
  const [first] = shown
  const where = first ? `Line ${first.line}, column ${first.column}: ${first.message}` : 'The query cannot be understood'
  const more = shown.length > 1 ? ` (and ${shown.length - 1} more)` : ''
  const place = first && { line: first.line, column: first.column, length: first.length, ...(first.hint === undefined ? {} : { hint: first.hint }) }
  return new Problem('query_syntax', `${where}${more}.`, { faults: shown.map((fault) => ({ path: '/query', ...fault })), ...(place ? { extra: place } : {}) })
}
