import { joinMade, replaceMade } from '../text/made.ts'
import { readCommon } from '../times.ts'
import type { Value } from './ast.ts'
import { isFound } from './patterns.ts'
import { asNumber, asText } from './values.ts'

interface Function {
  readonly usage: string
  readonly least: number
  readonly most: number
  readonly run: (...items: Value[]) => Value
}

const text = (usage: string, run: (text: string) => Value): Function => ({ usage, least: 1, most: 1, run: (value = null) => (value === null ? null : run(asText(value))) })

const numbersOf = (items: readonly Value[]): number[] =>
  items.flatMap((item) => (typeof item === 'object' && item !== null ? item : [item])).map(asNumber).filter((number) => number !== null)

/** Most values of a function that takes any number of them. */
const many = 255

/** The functions of expressions; those on a text answer null for null. */
export const functions: Readonly<Record<string, Function>> = {
  lower: text('lower(text)', (value) => value.toLowerCase()),
  upper: text('upper(text)', (value) => value.toUpperCase()),
  trim: text('trim(text)', (value) => value.trim()),
  length: { usage: 'length(text or list)', least: 1, most: 1, run: (value = null) => (typeof value === 'object' && value !== null ? value.length : Array.from(asText(value)).length) },
  number: { usage: 'number(value)', least: 1, most: 1, run: (value = null) => (typeof value === 'boolean' ? Number(value) : asNumber(value)) },
  string: { usage: 'string(value)', least: 1, most: 1, run: (value = null) => asText(value) },
  round: { usage: 'round(number, digits)', least: 1, most: 2, run: (value = null, digits = 0) => round(asNumber(value), asNumber(digits) ?? 0) },
  abs: { usage: 'abs(number)', least: 1, most: 1, run: (value = null) => mapNumber(value, Math.abs) },
  min: { usage: 'min(number, …)', least: 1, most: many, run: (...items) => numbersOf(items).reduce<number | null>((a, b) => (a === null || b < a ? b : a), null) },
  max: { usage: 'max(number, …)', least: 1, most: many, run: (...items) => numbersOf(items).reduce<number | null>((a, b) => (a === null || b > a ? b : a), null) },
  coalesce: { usage: 'coalesce(value, …)', least: 1, most: many, run: (...items) => items.find((item) => item !== null) ?? null },
  exists: { usage: 'exists(column)', least: 1, most: 1, run: (value = null) => value !== null },
  now: { usage: 'now()', least: 0, most: 0, run: () => Date.now() },
  date: { usage: 'date(text)', least: 1, most: 1, run: (value = null) => epochOf(value) },
  replace: { usage: 'replace(text, what, with)', least: 3, most: 3, run: (value = null, what = null, by = null) => (value === null ? null : replaceMade(asText(value), asText(what), asText(by))) },
  matches: { usage: 'matches(text, pattern)', least: 2, most: 2, run: (value = null, pattern = null) => value !== null && isFound(asText(pattern), asText(value)) },
  split: { usage: 'split(text, separator)', least: 2, most: 2, run: (value = null, separator = null) => (value === null ? null : asText(value).split(asText(separator))) },
  join: { usage: 'join(list, separator)', least: 1, most: 2, run: (value = null, separator = ',') => (typeof value === 'object' && value !== null ? joinMade(between(value.map(asText), asText(separator))) : asText(value)) },
  substr: { usage: 'substr(text, start, length)', least: 2, most: 3, run: (value = null, start = 0, count = null) => (value === null ? null : substr(asText(value), asNumber(start) ?? 0, asNumber(count))) },
}

const mapNumber = (value: Value, change: (number: number) => number): Value => {
  const number = asNumber(value)
  return number === null ? null : change(number)
}

/** Moves the point in the number's text, because multiplying would leave a trace: 1.005 * 100 is not 100.5. */
function round(number: number | null, digits: number): Value {
  if (number === null) return null
  const places = Math.max(-15, Math.min(15, Math.trunc(digits)))
  const rounded = shift(Math.round(shift(number, places)), -places)
  return Number.isFinite(rounded) ? rounded + 0 : number // adding 0 makes 0 of -0
}

function shift(number: number, places: number): number {
  const [digits = '', exponent = '0'] = String(number).split('e')
  return Number(`${digits}e${Number(exponent) + places}`)
}

const readTime = readCommon('UTC')

/** Epoch milliseconds of a date, or null; a number is one already, and a time without a zone is UTC on every machine. */
function epochOf(value: Value): Value {
  return typeof value === 'number' ? value : readTime(asText(value))
}

function* between(pieces: readonly string[], separator: string): Generator<string> {
  for (const [index, piece] of pieces.entries()) yield index === 0 ? piece : separator + piece
}

/** Counts characters, not code units; a negative start counts from the end. */
function substr(value: string, start: number, count: number | null): string {
  const characters = Array.from(value)
  const from = start < 0 ? Math.max(0, characters.length + start) : start
  return characters.slice(from, count === null ? undefined : from + Math.max(0, count)).join('')
}
