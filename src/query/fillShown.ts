import { asText } from './expressions/values.ts'
import type { Lookup } from './expressions/compile.ts'
import { onlyToken } from './filled.ts'
import { readTemplate } from './text/fill.ts'

const longestShown = 2_000
const mostShown = 50_000

/** What stands in a record in place of a secret. */
export const mask = '********'

/** Makes the values of a call as its record shows them: tokens filled in, secrets masked. Whole values are what a cache key is made of. */
export type Shown = (lookup: Lookup) => unknown

/** How data stands in the midst of a text. */
type Put = (data: string) => string

const plain: Put = (data) => data

/** Sets data apart that could be read as a part of the text around it: the `&` of a value is no `&` of the address that it stands in. */
export const apart: Put = (data) => (/^[\w.~/-]*$/.test(data) ? data : `\0${JSON.stringify(data)}\0`)

/** Reads the values of a stage once, to fill them for each row. */
export function readShown(value: unknown, put = plain): Shown {
  if (typeof value === 'string') return value.includes('$') ? readText(value, put) : () => value
  if (Array.isArray(value)) {
    const items = value.map((item) => readShown(item, put))
    return (lookup) => items.map((item) => item(lookup))
  }
  if (typeof value !== 'object' || value === null) return () => value
  const fields = Object.entries(value).map(([name, item]) => [name, readShown(item, put)] as const)
  return (lookup) => Object.fromEntries(fields.map(([name, item]) => [name, item(lookup)]))
}

function readText(text: string, put: Put): Shown {
  const { parts } = readTemplate(text)
  const token = onlyToken(parts)
  if (token !== undefined) return (lookup) => read(token, lookup)
  return (lookup) => parts.map((part) => ('token' in part ? put(asText(read(part.token, lookup))) : part.text)).join('')
}

const read = (token: string, lookup: Lookup) => (token.startsWith('CREDENTIALS.') ? mask : lookup(token))

/** A value short enough for a record: long texts are cut, and so are lists and objects of very many items. */
export function shorten(value: unknown): unknown {
  return cut(value, { left: mostShown })
}

/** Characters, roughly, that all of a value may still have. */
interface Room {
  left: number
}

function cut(value: unknown, room: Room): unknown {
  if (typeof value === 'string') {
    room.left -= Math.min(value.length, longestShown) + 3
    return value.length > longestShown ? `${value.slice(0, longestShown)}…` : value
  }
  if (typeof value !== 'object' || value === null) {
    room.left -= 8
    return value
  }
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const item of value) {
      if (room.left <= 0) return [...items, '…']
      items.push(cut(item, room))
    }
    return items
  }
  const fields: [string, unknown][] = []
  for (const [name, item] of Object.entries(value)) {
    if (room.left <= 0) return Object.fromEntries([...fields, ['…', '…']])
    room.left -= name.length
    fields.push([name, cut(item, room)])
  }
  return Object.fromEntries(fields)
}
