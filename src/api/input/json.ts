import { Problem } from '../../platform/errors.ts'
import { pointerTo } from '../../platform/pointer.ts'
import { findMalformed } from './jsonPlace.ts'

/** Deepest nesting that a body may have; deeper ones overflow the steps behind the parser. */
const maxDepth = 64
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])

/** Only text with an escape, a suspicious key or an exponent can hold what the walk looks for. */
const needsWalk = /\\u|__proto__|constructor|prototype|\d[eE]|\d{300}/

/** Parses a JSON body and refuses what would harm the steps behind it: depth, prototype keys, NUL, lone surrogates, infinite numbers. */
export function parseJson(bytes: Buffer): unknown {
  const text = decode(bytes)
  checkDepth(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's own message would show a piece of the body, which may be a secret.
    throw new Problem('malformed_json', `The body is not valid JSON: see ${findMalformed(text)}.`)
  }
  if (needsWalk.test(text)) walk(value, [])
  return value
}

/** A byte order mark at the beginning is no part of the text, and passed over. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new Problem('malformed_json', 'The body is not valid UTF-8.')
  }
}

function checkDepth(text: string): void {
  let depth = 0
  let quoted = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (quoted) {
      if (code === 0x5c) index += 1
      else if (code === 0x22) quoted = false
    } else if (code === 0x22) quoted = true
    else if (code === 0x7b || code === 0x5b) {
      depth += 1
      if (depth > maxDepth) throw new Problem('bad_request', `The body is nested deeper than ${maxDepth} levels.`)
    } else if (code === 0x7d || code === 0x5d) depth -= 1
  }
}

type Trail = (string | number)[]

/** The trail becomes a path only where something is refused: a body may hold millions of values. */
function walk(value: unknown, trail: Trail): void {
  if (typeof value === 'string') return checkText(value, trail)
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : refuse(trail, 'is a number beyond the range of a double')
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) return value.forEach((item, index) => step(item, trail, index))
  for (const key of Object.keys(value)) {
    if (forbiddenKeys.has(key)) refuse(trail, `must not have a field named ${key}`)
    checkText(key, trail)
    step((value as Record<string, unknown>)[key], trail, key)
  }
}

function step(value: unknown, trail: Trail, key: string | number): void {
  trail.push(key)
  walk(value, trail)
  trail.pop()
}

function checkText(text: string, trail: Trail): void {
  if (text.includes('\0')) refuse(trail, 'must not hold the character NUL')
  if (!text.isWellFormed()) refuse(trail, 'must not hold half a surrogate pair')
}

function refuse(trail: Trail, message: string): never {
  const path = trail.reduce<string>((parent, key) => pointerTo(parent, String(key)), '')
  throw new Problem('validation_failed', `${path || 'The body'} ${message}.`, { faults: [{ path, message }] })
}
