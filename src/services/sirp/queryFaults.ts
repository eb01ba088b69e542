import { Problem } from '../../platform/errors.ts'
import type { Fault } from '../../query/text/fault.ts'
import { Places } from '../../query/text/place.ts'

/** A fault of a query's text as clients see it. */
export interface ShownFault {
  readonly message: string
  readonly line: number
  readonly column: number
  readonly length: number
  readonly expected?: string
  readonly hint?: string
}

/** Faults with their places in lines and columns. */
export function showFaults(places: Places, faults: readonly Fault[], lineOffset = 0): ShownFault[] {
  return faults.map(({ start, end, message, hint, expected }) => {
    const place = places.of(start, end)
    const advice = hint === undefined ? expected && `expected: ${expected}` : `did you mean ${hint}?`
    return { message, ...place, line: place.line + lineOffset, ...(expected ? { expected } : {}), ...(advice ? { hint: advice } : {}) }
  })
}

/** Where the text of a query comes from, when it is not the whole of the field `query`. */
export interface TextOrigin {
  /** Added to the lines of places. */
  readonly line?: number
  /** The field of the body that a place of the text was made of. */
  readonly pathAt?: (start: number) => string
}

/** The problem of a query that cannot be understood: its first fault at the top, all of them in `errors`. */
export function querySyntax(text: string, faults: readonly Fault[], { line = 0, pathAt = () => '/query' }: TextOrigin = {}): Problem {
  const shown = showFaults(new Places(text), faults, line)
  const [first] = shown
  const where = first ? `Line ${first.line}, column ${first.column}: ${first.message}` : 'The query cannot be understood'
  const more = shown.length > 1 ? ` (and ${shown.length - 1} more)` : ''
  const place = first && { line: first.line, column: first.column, length: first.length, ...(first.hint === undefined ? {} : { hint: first.hint }) }
  const errors = shown.map((fault, index) => ({ path: pathAt(faults[index]?.start ?? 0), ...fault }))
  return new Problem('query_syntax', `${where}${more}.`, { faults: errors, ...(place ? { extra: place } : {}) })
}
