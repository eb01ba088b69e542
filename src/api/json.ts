import { Problem } from '../platform/errors.ts'

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
    throw new Problem('malformed_json', `The body is not valid JSON${place(text)}.`)
  }
  if (needsWalk.test(text)) walk(value, '')
  return value
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

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

/** Where the parser stopped, found again without quoting the body: V8's own message shows a piece of it. */
function place(text: string): string {
  try {
    JSON.parse(text)
  } catch (error) {
    const position = /position (\d+)/.exec((error as Error).message)?.[1]
    if (position !== undefined) {
      const before = text.slice(0, Number(position)).split('\n')
      return ` at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
    }
  }
  return ''
}

function walk(value: unknown, path: string): void {
  if (typeof value === 'string') return checkText(value, path)
  if (typeof value === 'number' && !Number.isFinite(value)) throw refuse(path, 'is a number beyond the range of a double')
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    if (forbiddenKeys.has(key)) throw refuse(path, `must not have a field named ${key}`)
    checkText(key, path)
    walk((value as Record<string, unknown>)[key], `${path}/${key}`)
  }
}

function checkText(text: string, path: string): void {
  if (text.includes('\0')) throw refuse(path, 'must not hold the character NUL')
  if (!text.isWellFormed()) throw refuse(path, 'must not hold half a surrogate pair')
}

function refuse(path: string, message: string): Problem {
  return new Problem('validation_failed', `${path || 'The body'} ${message}.`, { faults: [{ path, message }] })
}
