import { Problem } from '../platform/errors.ts'
import { cellOf } from './filled.ts'
import type { Value } from './expressions/ast.ts'
import type { Lookup } from './expressions/compile.ts'
import { asText } from './expressions/values.ts'
import type { Param, Read } from './params.ts'
import { isOwnToken } from './ownTokens.ts'
import { fault, maxFaults, quoted, type Fault } from './text/fault.ts'
import { readOwnTokens, readTemplate, type Part, type Token } from './text/fill.ts'
import { faultIn, type ValuePiece } from './text/syntax.ts'

/** What is known of tokens before a query runs, such as the values of a template; undefined for the rest. */
export type KnownTokens = (token: string) => Value | undefined

/** A value that a command needs before its first row, and that holds tokens: it is read when the stage starts. */
export class Later {
  readonly #param: Param
  readonly #piece: ValuePiece
  #parts: readonly Part[] | undefined

  constructor(param: Param, piece: ValuePiece) {
    this.#param = param
    this.#piece = piece
  }

  /** The value with its tokens filled in; data that does not fit is refused like a text that does not. */
  settle(lookup: Lookup): unknown {
    this.#parts ??= partsOf(this.#param, this.#piece)
    const { value, faults } = this.#param.read(filled(this.#piece, this.#parts, lookup))
    const [wrong] = faults
    if (wrong) throw new Problem('unprocessable', `${this.#piece.text.slice(0, 100)} ${wrong.message}.`)
    return value
  }
}

/** Reads a value that does not depend on rows, unless each row has a run of its own; one whose tokens are not all known yet is left for later. */
export function readConstant(param: Param, piece: ValuePiece, known: KnownTokens, runsEach: boolean): Read<unknown> {
  if (!piece.text.includes('$')) return param.read(piece)
  const parts = partsOf(param, piece)
  const unknown = parts.filter((part) => 'token' in part).filter(({ token }) => known(token) === undefined)
  if (unknown.length === 0) return param.read(filled(piece, parts, (token) => known(token) ?? null))
  const comesTooLate = param.planned ? () => true : ({ token }: Token) => !runsEach && !isOwnToken(token)
  const faults = unknown.filter(comesTooLate).slice(0, maxFaults).map((token) => faultIn(piece, tooLate(token, param)))
  return { value: new Later(param, piece), shown: piece.text, faults }
}

const partsOf = ({ raw }: Param, { text }: ValuePiece): readonly Part[] => (raw ? readOwnTokens(text) : readTemplate(text).parts)

function tooLate({ token, start, end }: Token, { planned }: Param): Fault {
  const name = `$${quoted(token)}$`
  if (planned) return fault(start, end, `must be known before the query runs, and ${name} is not`, { expected: 'a value without tokens' })
  return fault(start, end, `is needed before the first row, and ${name} is known only in a row`, { expected: 'a value without columns of the row' })
}

/** The values of a call, with those that were left for later; defaults, which they inherit, never are. */
export function settleAll(values: Readonly<Record<string, unknown>>, lookup: Lookup): Record<string, unknown> {
  const settled = Object.create(Object.getPrototypeOf(values) as object) as Record<string, unknown> // neither says what it answers
  for (const [name, value] of Object.entries(values)) settled[name] = settle(value, lookup)
  return settled
}

function settle(value: unknown, lookup: Lookup): unknown {
  if (value instanceof Later) return value.settle(lookup)
  return Array.isArray(value) && value.some((item) => item instanceof Later) ? value.flatMap((item) => settle(item, lookup)) : value
}

/** Whether any of these values is still to come. */
export function hasLater(values: Readonly<Record<string, unknown>>): boolean {
  return Object.values(values).some((value) => value instanceof Later || (Array.isArray(value) && value.some((item) => item instanceof Later)))
}

/** The value with its tokens filled in; it counts as quoted, so that data is never taken for a word with a meaning. */
function filled(piece: ValuePiece, parts: readonly Part[], lookup: Lookup): ValuePiece {
  return { ...piece, quoting: 'double', text: parts.map((part) => ('token' in part ? asText(cellOf(lookup(part.token))) : part.text)).join('') }
}
