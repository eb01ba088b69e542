import { isPattern } from './columns.ts'
import { compileLater, type Compiled } from './expressions/compile.ts'
import { parseExpression } from './expressions/parse.ts'
import { fillCell, fillText, type Filled } from './filled.ts'
import type { Cell } from './rows.ts'
import { fault, type Fault } from './text/fault.ts'
import { readTemplate, type Template } from './text/fill.ts'
import { nearest } from './text/nearest.ts'
import { faultIn, type ValuePiece } from './text/syntax.ts'

export type { Filled } from './filled.ts'

/** What reading a written value gives: the value as the command uses it, and as the plan shows it. */
export interface Read<Value> {
  readonly value: Value
  readonly shown: unknown
  readonly faults: readonly Fault[]
}

/** One argument or flag of a command: what it is for, and how its text is read. */
export interface Param<Result = unknown> {
  readonly type: string
  readonly doc: string
  readonly read: (piece: ValuePiece) => Read<Result>
  /** Used where nothing is written; shown in plans when flags are added. */
  readonly fallback?: { readonly value: Result }
  readonly optional?: true
  /** Read before the first row; tokens in it must be known by then. */
  readonly constant?: true
  /** Like a constant, but a dollar has a meaning of its own in it, as in a regular expression: of tokens only those that are the same in every row are filled. */
  readonly raw?: true
  /** Part of the plan: tokens in it must be known before the query runs, as the values of a template are. */
  readonly planned?: true
  /** Takes all that is left. */
  readonly rest?: true
  /** A flag that may be given several times, and keeps every value in order. */
  readonly repeatable?: true
  /** The words that it can be, for completion. */
  readonly words?: readonly string[]
}

const noFaults: readonly Fault[] = []

const fine = <Result>(value: Result, shown: unknown = value): Read<Result> => ({ value, shown, faults: noFaults })

function wrong<Result>(piece: ValuePiece, value: Result, message: string, more: { expected?: string; hint?: string } = {}): Read<Result> {
  return { value, shown: piece.text, faults: [fault(piece.start, piece.end, message, more)] }
}

/** A constant text. */
export const text = (doc: string): Param<string> => ({ type: 'text', doc, constant: true, read: (piece) => fine(piece.text) })

/** The name of a column; where a command takes several, `prefix.*` names all below a prefix. */
export const column = (doc: string): Param<string> => ({ type: 'column', doc, constant: true, read: (piece) => fine(piece.text) })

/** The name of a column, where a command can work on one only. */
export function oneColumn(doc: string): Param<string> {
  const read = (piece: ValuePiece): Read<string> =>
    isPattern(piece.text) ? wrong(piece, piece.text, 'must be one column, and not all below a prefix', { expected: 'the name of one column' }) : fine(piece.text)
  return { type: 'column', doc, constant: true, read }
}

/** Several columns in one text, between white space or commas; a name that holds one of these stands in quotes. */
export function columnList(doc: string): Param<string[]> {
  const read = (piece: ValuePiece): Read<string[]> => {
    const names = (piece.text.match(/'[^']*'|"[^"]*"|[^\s,]+/g) ?? []).map(withoutQuotes)
    return names.length > 0 ? fine(names, piece.text) : wrong(piece, names, 'must name a column', { expected: 'columns, such as "name price.*"' })
  }
  return { type: 'columns', doc, constant: true, read }
}

const withoutQuotes = (word: string): string => (word.length > 1 && /^['"]/.test(word) && word.endsWith(word.charAt(0)) ? word.slice(1, -1) : word)

/** The label or the 0-based number of a stage. */
export const stage = (doc: string): Param<string> => ({ type: 'stage', doc, constant: true, planned: true, read: (piece) => fine(piece.text) })

/** The name of a stored thing, which must exist before the query may run. */
export const named = (kind: 'credential' | 'store' | 'template', doc: string): Param<string> => ({ type: kind, doc, constant: true, planned: true, read: (piece) => fine(piece.text) })

/** A word as it is written, for commands whose words have a meaning together. */
export const piece = (type: string, doc: string, words: readonly string[]): Param<ValuePiece> => ({ type, doc, words, constant: true, read: (piece) => fine(piece, piece.text) })

/** A whole number. */
export function integer(doc: string, least = 0, most = Number.MAX_SAFE_INTEGER): Param<number> {
  const lower = least === -Number.MAX_SAFE_INTEGER ? 'a whole number' : `a whole number of at least ${least}`
  const expected = most === Number.MAX_SAFE_INTEGER ? lower : `a whole number from ${least} to ${most}`
  const message = `must be ${expected}`
  const read = (piece: ValuePiece): Read<number> => {
    const value = /^-?\d{1,16}$/.test(piece.text) ? Number(piece.text) : Number.NaN
    return value >= least && value <= most ? fine(value) : wrong(piece, least, message, { expected })
  }
  return { type: 'integer', doc, constant: true, read }
}

/** Any number. */
export function number(doc: string, least = -Infinity, most = Infinity): Param<number> {
  const expected = least === -Infinity ? 'a number' : `a number from ${least} to ${most}`
  const read = (piece: ValuePiece): Read<number> => {
    const value = piece.text.trim() === '' ? Number.NaN : Number(piece.text)
    return Number.isFinite(value) && value >= least && value <= most ? fine(value) : wrong(piece, 0, `must be ${expected}`, { expected })
  }
  return { type: 'number', doc, constant: true, read }
}

/** Yes or no; as a flag it may stand alone. */
export function boolean(doc: string): Param<boolean> {
  const read = (piece: ValuePiece): Read<boolean> => {
    if (piece.text === 'true' || piece.text === 'false') return fine(piece.text === 'true')
    return wrong(piece, false, 'must be true or false', { expected: 'true or false' })
  }
  return { type: 'boolean', doc, constant: true, read, words: ['true', 'false'] }
}

/** One of some words. */
export function choice<const Words extends readonly string[]>(doc: string, words: Words): Param<Words[number]> {
  const read = (piece: ValuePiece): Read<Words[number]> => {
    const found = words.find((word) => word.toLowerCase() === piece.text.toLowerCase())
    if (found !== undefined) return fine(found)
    const hint = nearest(piece.text, words)
    return wrong(piece, words[0] as Words[number], `must be one of ${words.join(', ')}`, { expected: words.join(', '), ...(hint ? { hint } : {}) })
  }
  return { type: 'choice', doc, constant: true, read, words }
}

/** An expression over the columns of a row. */
export function expression(doc: string): Param<Compiled> {
  const read = (piece: ValuePiece): Read<Compiled> => {
    const parsed = parseExpression(piece.text)
    return { value: compileLater(parsed.expression), shown: piece.text, faults: parsed.faults.map((inner) => faultIn(piece, inner)) }
  }
  return { type: 'expression', doc, read }
}

/** Any scalar, made for each row; a value that is exactly one token keeps the type of what it names. */
export function value(doc: string): Param<Filled<Cell>> {
  const read = (piece: ValuePiece): Read<Filled<Cell>> => {
    const { parts, faults } = templateIn(piece)
    const shown = typed(piece)
    return { value: fillCell(parts, shown), shown, faults }
  }
  return { type: 'value', doc, read }
}

/** Text, made for each row. */
export function filledText(doc: string): Param<Filled<string>> {
  const read = (piece: ValuePiece): Read<Filled<string>> => {
    const { parts, faults } = templateIn(piece)
    return { value: fillText(parts), shown: piece.text, faults }
  }
  return { type: 'text', doc, read }
}

/** The name of a column that is made, told for each row. */
export const filledColumn = (doc: string): Param<Filled<string>> => ({ ...filledText(doc), type: 'column' })

/** The same parameter, not required. */
export const optional = <Result>(param: Param<Result>): Param<Result | undefined> => ({ ...param, optional: true })

/** The same constant parameter, needed already for the plan. */
export const planned = <Result>(param: Param<Result>): Param<Result> => ({ ...param, planned: true })

/** The same parameter with a value for when it is left out. */
export const otherwise = <Result>(param: Param<Result>, fallback: Result): Param<Result> => ({ ...param, fallback: { value: fallback } })

/** All values that are left; at least one unless `optional` wraps it. */
export const rest = <Result>(param: Param<Result>): Param<Result[]> => ({ ...param, rest: true, read: (piece) => listOf(param.read(piece)), fallback: { value: [] } })

/** A flag that may be given several times. */
export const repeatable = <Result>(param: Param<Result>): Param<Result[]> => ({ ...param, repeatable: true, read: (piece) => listOf(param.read(piece)), fallback: { value: [] } })

const listOf = <Result>({ value, shown, faults }: Read<Result>): Read<Result[]> => ({ value: [value], shown, faults })

/** The tokens of a written value, its faults placed in the query. */
export function templateIn(piece: ValuePiece): Template {
  const template = readTemplate(piece.text)
  return template.faults.length === 0 ? template : { parts: template.parts, faults: template.faults.map((inner) => faultIn(piece, inner)) }
}

/** Bare words have types, quoted ones are text. */
export function typed(piece: ValuePiece): Cell {
  if (piece.quoting !== 'bare') return piece.text
  if (piece.text === 'true' || piece.text === 'false') return piece.text === 'true'
  if (piece.text === 'null') return null
  const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(piece.text) ? Number(piece.text) : Number.NaN
  return Number.isFinite(number) ? number : piece.text
}
