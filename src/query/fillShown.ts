import { asText } from './expressions/values.ts'
import type { Lookup } from './expressions/compile.ts'
import { onlyToken } from './filled.ts'
import { readTemplate } from './text/fill.ts'

const longestShown = 2_000

/** What stands in a record in place of a secret. */
export const mask = '********'

/** Makes the values of a call as its record shows them: tokens filled in, secrets masked. Whole values are what a cache key is made of. */
export type Shown = (lookup: Lookup) => unknown

/** Reads the values of a stage once, to fill them for each row. */
export function readShown(value: unknown): Shown {
  if (typeof value === 'string') return value.includes('$') ? readText(value) : () => value
  if (Array.isArray(value)) {
    const items = value.map(readShown)
    return (lookup) => items.map((item) => item(lookup))
  }
  if (typeof value !== 'object' || value === null) return () => value
  const fields = Object.entries(value).map(([name, item]) => [name, readShown(item)] as const)
  return (lookup) => Object.fromEntries(fields.map(([name, item]) => [name, item(lookup)]))
}

function readText(text: string): Shown {
  const { parts } = readTemplate(text)
  const token = onlyToken(parts)
  if (token !== undefined) return (lookup) => read(token, lookup)
  return (lookup) => parts.map((part) => ('token' in part ? asText(read(part.token, lookup)) : part.text)).join('')
}

const read = (token: string, lookup: Lookup) => (token.startsWith('CREDENTIALS.') ? mask : lookup(token))

/** A value short enough for a record. */
export function shorten(value: unknown): unknown {
  if (typeof value === 'string') return value.length > longestShown ? `${value.slice(0, longestShown)}…` : value
  if (Array.isArray(value)) return value.map(shorten)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shorten(item)]))
}
