import type { Value } from './expressions/ast.ts'
import { onlyToken, type Filled } from './filled.ts'
import { readJson } from './lenientJson.ts'
import { templateIn, type Param, type Read } from './params.ts'
import { fault } from './text/fault.ts'
import type { ValuePiece } from './text/syntax.ts'

/** Lenient JSON whose strings may hold tokens; they are filled inside the parsed strings, so that data cannot add a key. */
export function json(doc: string): Param<Filled<unknown>> {
  return jsonParam(doc, () => null, 'JSON (quotes around keys may be left out)')
}

/** The same, or one token alone that stands for such data: its JSON is read as data, and its strings hold no tokens. */
export function data(doc: string): Param<Filled<unknown>> {
  const written = json(doc)
  const read = (piece: ValuePiece): Read<Filled<unknown>> => {
    const { parts, faults } = templateIn(piece)
    const token = onlyToken(parts)
    return token === undefined ? written.read(piece) : { value: (_row, lookup) => dataOf(lookup(token)), shown: piece.text, faults }
  }
  return { ...written, read }
}

/** Lists and objects come as their JSON text; any other text is itself. */
function dataOf(value: Value): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** A lenient JSON object whose strings may hold tokens. */
export function fields(doc: string): Param<Filled<unknown>> {
  const isObject = (parsed: unknown): boolean => typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
  return jsonParam(doc, (parsed) => (isObject(parsed) ? null : 'must be an object'), 'a JSON object, such as {name: "value"}')
}

/** A lenient JSON list whose strings may hold tokens. */
export function list(doc: string, most: number): Param<Filled<unknown>> {
  const isShort = (parsed: unknown): boolean => Array.isArray(parsed) && parsed.length <= most
  return jsonParam(doc, (parsed) => (isShort(parsed) ? null : `must be a list of at most ${most} items`), 'a JSON list, such as [1, "two"]')
}

function jsonParam(doc: string, reasonAgainst: (parsed: unknown) => string | null, expected: string): Param<Filled<unknown>> {
  const read = (piece: ValuePiece): Read<Filled<unknown>> => {
    const { parsed, fill, problem } = readJson(piece.text)
    const reason = problem ?? reasonAgainst(parsed)
    if (reason === null) return { value: fill, shown: parsed, faults: [] }
    return { value: fill, shown: piece.text, faults: [fault(piece.start, piece.end, reason, { expected })] }
  }
  return { type: 'json', doc, read }
}
