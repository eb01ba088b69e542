import { isOwnToken } from '../ownTokens.ts'
import { fault, maxFaults, type Fault } from './fault.ts'

/** A name between dollars, with its offsets in the value. */
export interface Token {
  readonly token: string
  readonly start: number
  readonly end: number
}

/** A value with its tokens told apart: plain text, or a token. */
export type Part = { readonly text: string } | Token

/** A value as it stands in the text, ready to be filled with data; data is never read as syntax. */
export interface Template {
  readonly parts: readonly Part[]
  readonly faults: readonly Fault[]
}

const noFaults: readonly Fault[] = []

/** Finds `$name$` in a value; `$$` is a literal dollar, and a dollar without a partner too. */
export function readTemplate(value: string): Template {
  if (!value.includes('$')) return { parts: value === '' ? [] : [{ text: value }], faults: noFaults }
  const parts: Part[] = []
  let from = 0
  for (let found = nextToken(value, 0); found; found = nextToken(value, from)) {
    if (found.start > from) parts.push(plain(value.slice(from, found.start)))
    parts.push(found)
    from = found.end
  }
  if (from < value.length) parts.push(plain(value.slice(from)))
  return { parts, faults: tokenFaults(value) }
}

const plain = (text: string): Part => ({ text: text.includes('$$') ? text.split('$$').join('$') : text })

/** The parts of a text in which a dollar has a meaning of its own: only the names that the language keeps for itself are tokens in it. */
export function readOwnTokens(value: string): Part[] {
  const parts: Part[] = []
  let from = 0
  for (const found of tokensIn(value)) {
    if (!isOwnToken(found.token)) continue
    if (found.start > from) parts.push({ text: value.slice(from, found.start) })
    parts.push(found)
    from = found.end
  }
  if (from < value.length) parts.push({ text: value.slice(from) })
  return parts
}

/** The tokens of a value, each found when it is asked for. */
export function* tokensIn(value: string): Generator<Token> {
  for (let found = nextToken(value, 0); found; found = nextToken(value, found.end)) yield found
}

/** What is wrong with the tokens of a value; there can be something only where a dot stands before a dollar. */
export function tokenFaults(value: string): readonly Fault[] {
  if (!value.includes('.$')) return noFaults
  const faults: Fault[] = []
  for (const { token, start, end } of tokensIn(value)) {
    if (token.endsWith('.')) faults.push(fault(start, end, 'the token names nothing behind its last dot', { expected: 'a name' }))
    if (faults.length === maxFaults) break
  }
  return faults
}

function nextToken(value: string, from: number): Token | null {
  let open = value.indexOf('$', from)
  for (;;) {
    const close = open < 0 ? -1 : value.indexOf('$', open + 1)
    if (close < 0) return null
    const token = value.slice(open + 1, close)
    if (isTokenName(token)) return { token, start: open, end: close + 1 }
    open = token === '' ? value.indexOf('$', close + 1) : close
  }
}

/**
 * Names have no line breaks, do not begin or end with a space, and do not end as what stands before the next value of a list:
 * so two prices in a text are not a token, and neither are two variables of GraphQL. A column such as `Price:` has a name.
 */
function isTokenName(name: string): boolean {
  if (name === '' || name.length > 1_000 || /[\r\n]/.test(name) || name.trim() !== name) return false
  const last = name.at(-1) ?? ''
  return last === ':' ? !/[(){}[\],]/.test(name) : !',([{'.includes(last)
}
