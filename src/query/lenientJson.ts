import JSON5 from 'json5'
import { fillText, onlyToken, type Filled } from './filled.ts'
import { maxDepth } from './rows.ts'
import { readTemplate } from './text/fill.ts'

/** JSON that was read: as it stands, as it is filled for each row, and what is wrong with it. */
export interface ReadJson {
  readonly parsed: unknown
  readonly fill: Filled<unknown>
  readonly problem: string | null
}

/** How the problem of a text begins that is no JSON at all. */
export const notJson = 'is not JSON'

class UnfitJson extends Error {}

/** Reads lenient JSON; tokens are filled inside the parsed strings, so that data cannot add a key. */
export function readJson(text: string): ReadJson {
  try {
    const parsed = parse(text)
    return { parsed, fill: fillJson(parsed, 1), problem: null }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const problem = error instanceof UnfitJson ? message : `${notJson}: ${message.replace(/^JSON5: /, '')}`
    return { parsed: null, fill: () => null, problem }
  }
}

/** Most JSON is strict, and is then read many times faster. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return JSON5.parse(/[\u2028\u2029]/.test(text) ? escapeSeparators(text) : text)
  }
}

const stringsAndComments = /"[^"\\]*(?:\\[^][^"\\]*)*"?|'[^'\\]*(?:\\[^][^'\\]*)*'?|\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?\*\//g

/** The lenient reader prints a warning for each line separator in a string, unless it is escaped. */
function escapeSeparators(text: string): string {
  const escape = (found: string): string => (found.length > 1 ? found : `\\u${found.charCodeAt(0).toString(16)}`)
  return text.replace(stringsAndComments, (part) => (part.startsWith('/') ? part : part.replace(/\\[^]|[\u2028\u2029]/g, escape)))
}

function fillJson(parsed: unknown, depth: number): Filled<unknown> {
  if (depth > maxDepth) throw new UnfitJson(`is nested deeper than ${maxDepth} levels`)
  if (typeof parsed === 'string') return fillString(parsed)
  if (typeof parsed === 'number' && !Number.isFinite(parsed)) throw new UnfitJson('holds a number that JSON cannot hold')
  if (typeof parsed !== 'object' || parsed === null) return () => parsed
  if (Array.isArray(parsed)) {
    const items = parsed.map((item) => fillJson(item, depth + 1))
    return (row, lookup) => items.map((item) => item(row, lookup))
  }
  const fields = Object.entries(parsed).map(([key, item]) => [key, fillJson(item, depth + 1)] as const)
  return (row, lookup) => Object.fromEntries(fields.map(([key, item]) => [key, item(row, lookup)]))
}

function fillString(text: string): Filled<unknown> {
  const { parts, faults } = readTemplate(text)
  const [wrong] = faults
  if (wrong) throw new UnfitJson(`holds a token that cannot be filled: ${wrong.message}`)
  const token = onlyToken(parts)
  return token === undefined ? fillText(parts) : (_row, lookup) => lookup(token)
}
