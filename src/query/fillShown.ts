import { asText } from './expressions/values.ts'
import type { Lookup } from './expressions/compile.ts'
import { onlyToken } from './filled.ts'
import { readTemplate } from './text/fill.ts'

const longestShown = 2_000

/** What stands in a record in place of a secret. */
export const mask = '********'

/** The values of a call as its record shows them: tokens filled in, secrets masked. Whole values are what a cache key is made of. */
export function fillShown(value: unknown, lookup: Lookup): unknown {
  if (typeof value === 'string') return value.includes('$') ? fillText(value, lookup) : value
  if (Array.isArray(value)) return value.map((item) => fillShown(item, lookup))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillShown(item, lookup)]))
}

function fillText(text: string, lookup: Lookup): unknown {
  const { parts } = readTemplate(text)
  const token = onlyToken(parts)
  const read = (name: string) => (name.startsWith('CREDENTIALS.') ? mask : lookup(name))
  if (token !== undefined) return read(token)
  return parts.map((part) => ('token' in part ? asText(read(part.token)) : part.text)).join('')
}

/** A value short enough for a record. */
export function shorten(value: unknown): unknown {
  if (typeof value === 'string') return value.length > longestShown ? `${value.slice(0, longestShown)}…` : value
  if (Array.isArray(value)) return value.map(shorten)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shorten(item)]))
}
