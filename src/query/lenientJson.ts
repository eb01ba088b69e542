import { fillText, onlyToken, type Filled } from './filled.ts'
import { Json5Reader } from './json5/reader.ts'
import { UnfitJson } from './json5/unfit.ts'
import { maxDepth } from './rows.ts'
import { readTemplate, tokenFaults } from './text/fill.ts'

/** JSON that was read: as it stands, as it is filled for each row, and what is wrong with it. */
export interface ReadJson {
  readonly parsed: unknown
  readonly fill: Filled<unknown>
  readonly problem: string | null
}

/** How the problem of a text begins that is no JSON at all. */
export const notJson = 'is not JSON'

/** Reads lenient JSON; tokens are filled inside the parsed strings, so that data cannot add a key. */
export function readJson(text: string): ReadJson {
  try {
    const parsed = parse(text)
    return { parsed, fill: checkJson(parsed, 1) ? fillLater(parsed) : () => parsed, problem: null }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { parsed: null, fill: () => null, problem: error instanceof UnfitJson ? message : `${notJson}: ${message}` }
  }
}

/** Shorter than this, a text is read before an error could be made. */
const shortLength = 500

/** Long JSON is mostly strict, and is then read faster. */
function parse(text: string): unknown {
  if (text.length < shortLength) return new Json5Reader(text).read()
  try {
    return JSON.parse(text)
  } catch {
    return new Json5Reader(text).read()
  }
}

/** Refuses what no row could be filled into; answers whether anything is to be filled. */
function checkJson(parsed: unknown, depth: number): boolean {
  if (depth > maxDepth) throw new UnfitJson(`is nested deeper than ${maxDepth} levels`)
  if (typeof parsed === 'string') return checkString(parsed)
  if (typeof parsed === 'number' && !Number.isFinite(parsed)) throw new UnfitJson('holds a number that JSON cannot hold')
  if (typeof parsed !== 'object' || parsed === null) return false
  let isFilled = false
  if (Array.isArray(parsed)) for (const item of parsed as unknown[]) isFilled = checkJson(item, depth + 1) || isFilled
  else for (const key in parsed) isFilled = checkJson((parsed as Record<string, unknown>)[key], depth + 1) || isFilled // an object that is no list
  return isFilled
}

function checkString(text: string): boolean {
  const [wrong] = tokenFaults(text)
  if (wrong) throw new UnfitJson(`holds a token that cannot be filled: ${wrong.message}`)
  return text.includes('$')
}

/** Fills a value that is made ready when it is first filled: texts are read more often than they run. */
function fillLater(parsed: unknown): Filled<unknown> {
  let fill: Filled<unknown> | undefined
  return (row, lookup) => {
    fill ??= fillJson(parsed) ?? (() => parsed)
    return fill(row, lookup)
  }
}

/** Makes a value for each row; null where nothing in it is to be filled, and so every row gets the same. */
function fillJson(parsed: unknown): Filled<unknown> | null {
  if (typeof parsed === 'string') return parsed.includes('$') ? fillString(parsed) : null
  if (typeof parsed !== 'object' || parsed === null) return null
  return Array.isArray(parsed) ? fillList(parsed) : fillFields(parsed)
}

function fillList(list: readonly unknown[]): Filled<unknown> | null {
  const fills = list.map(fillJson)
  if (fills.every((fill) => fill === null)) return null
  return (row, lookup) => list.map((item, index) => (fills[index] ? fills[index](row, lookup) : item))
}

function fillFields(fields: object): Filled<unknown> | null {
  const entries = Object.entries<unknown>(fields as Record<string, unknown>) // an object that is no list
  const fills = entries.map(([, item]) => fillJson(item))
  if (fills.every((fill) => fill === null)) return null
  return (row, lookup) => Object.fromEntries(entries.map(([key, item], index) => [key, fills[index] ? fills[index](row, lookup) : item]))
}

function fillString(text: string): Filled<unknown> {
  const { parts } = readTemplate(text)
  const token = onlyToken(parts)
  return token === undefined ? fillText(parts) : (_row, lookup) => lookup(token)
}
