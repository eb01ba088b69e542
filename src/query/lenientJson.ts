import { fillText, onlyToken, type Filled } from './filled.ts'
import { Json5Reader } from './json5/reader.ts'
import { UnfitJson } from './json5/unfit.ts'
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

/** Reads lenient JSON; tokens are filled inside the parsed strings, so that data cannot add a key. */
export function readJson(text: string): ReadJson {
  try {
    const parsed = parse(text)
    // Without a dollar, or an escape that may be one, there is nothing to fill.
    const fill = /[$\\]/.test(text) ? fillJson(parsed, 1) : checkJson(parsed, 1)
    return { parsed, fill: fill ?? (() => parsed), problem: null }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { parsed: null, fill: () => null, problem: error instanceof UnfitJson ? message : `${notJson}: ${message}` }
  }
}

/** Most JSON is strict, and is then read faster. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return new Json5Reader(text).read()
  }
}

/** Refuses what `fillJson` refuses, in little memory. */
function checkJson(parsed: unknown, depth: number): null {
  if (typeof parsed !== 'object' || parsed === null || depth > maxDepth) return checkScalar(parsed, depth)
  if (Array.isArray(parsed)) for (const item of parsed as unknown[]) checkJson(item, depth + 1)
  else for (const key in parsed) checkJson((parsed as Record<string, unknown>)[key], depth + 1) // an object that is no list
  return null
}

function checkScalar(parsed: unknown, depth: number): null {
  if (depth > maxDepth) throw new UnfitJson(`is nested deeper than ${maxDepth} levels`)
  if (typeof parsed === 'number' && !Number.isFinite(parsed)) throw new UnfitJson('holds a number that JSON cannot hold')
  return null
}

/** Makes a value for each row; null where nothing in it is to be filled, and so every row gets the same. */
function fillJson(parsed: unknown, depth: number): Filled<unknown> | null {
  if (typeof parsed === 'string' && depth <= maxDepth) return parsed.includes('$') ? fillString(parsed) : null
  if (typeof parsed !== 'object' || parsed === null || depth > maxDepth) return checkScalar(parsed, depth)
  return Array.isArray(parsed) ? fillList(parsed, depth) : fillFields(parsed, depth)
}

function fillList(list: readonly unknown[], depth: number): Filled<unknown> | null {
  const fills = list.map((item) => fillJson(item, depth + 1))
  if (fills.every((fill) => fill === null)) return null
  return (row, lookup) => list.map((item, index) => (fills[index] ? fills[index](row, lookup) : item))
}

function fillFields(fields: object, depth: number): Filled<unknown> | null {
  const entries = Object.entries<unknown>(fields as Record<string, unknown>) // an object that is no list
  const fills = entries.map(([, item]) => fillJson(item, depth + 1))
  if (fills.every((fill) => fill === null)) return null
  return (row, lookup) => Object.fromEntries(entries.map(([key, item], index) => [key, fills[index] ? fills[index](row, lookup) : item]))
}

function fillString(text: string): Filled<unknown> {
  const { parts, faults } = readTemplate(text)
  const [wrong] = faults
  if (wrong) throw new UnfitJson(`holds a token that cannot be filled: ${wrong.message}`)
  const token = onlyToken(parts)
  return token === undefined ? fillText(parts) : (_row, lookup) => lookup(token)
}
