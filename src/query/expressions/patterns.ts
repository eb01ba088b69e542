import { type Matcher, RE2JS } from 're2js'
import { Problem } from '../../platform/errors.ts'

const remembered = new Map<string, RE2JS>()
const maxRemembered = 200
/** Longest that all matches of one text may take: each is found in linear time, but there can be as many as characters. */
const maxSearchMs = (text: string): number => 1_000 + text.length * 0.005
/** A pattern's steps grow with its length and with what it repeats; beyond this, making it ready would take too long. */
const maxSize = 20_000

/** Steps of all patterns of one query, and what each costs beside its steps. */
const maxSizeTogether = 60_000
const ownSize = 30

let left = Infinity

/** Reads a query, whose patterns may have only so many steps together: making them ready takes time that nobody else then has. */
export function withPatternBudget<Result>(read: () => Result): Result {
  left = maxSizeTogether
  try {
    return read()
  } finally {
    left = Infinity
  }
}

/** Compiles a user's pattern; it runs in linear time, whatever it says. Throws what is wrong with it. */
export function compilePattern(pattern: string): RE2JS {
  const known = remembered.get(pattern)
  if (known) return known
  const size = sizeOf(pattern)
  if (size > maxSize) throw new Error('the pattern is too large: shorten it, or repeat fewer times')
  left -= size + ownSize
  if (left < 0) throw new Error('the patterns of this query are too large together: use fewer, or shorter ones')
  if (remembered.size >= maxRemembered) remembered.clear()
  const compiled = RE2JS.compile(pattern)
  remembered.set(pattern, compiled)
  return compiled
}

/** Whether a pattern is found anywhere in a text; a pattern that is none is found nowhere. */
export function isFound(pattern: string, text: string): boolean {
  try {
    return compilePattern(pattern).matcher(text).find()
  } catch {
    return false
  }
}

/** What is wrong with a pattern, or null. */
export function patternFault(pattern: string): string | null {
  try {
    compilePattern(pattern)
    return null
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).replace(/^error parsing regexp: /, '').slice(0, 200)
  }
}

/** A class of characters such as `\p{L}` is read from tables, which takes as long as so many steps. */
const classSize = 30

/** An upper bound of a pattern's steps: its length, as often as it repeats in all, and its classes. */
function sizeOf(pattern: string): number {
  if (pattern.length > maxSize) return pattern.length
  let repeats = 1
  for (const [, least, most] of pattern.matchAll(/\{(\d{1,9})(?:,(\d{0,9}))?\}/g)) repeats += Math.max(Number(least), Number(most ?? 0))
  const classes = pattern.match(/\\p/gi)?.length ?? 0
  return pattern.length * repeats + classes * classSize
}

/** Stands at every place where a pattern is found, from first to last. */
export function* findAll(pattern: RE2JS, text: string): Generator<Matcher> {
  const matcher = pattern.matcher(text)
  let spentMs = 0
  for (;;) {
    // Only the search counts: whoever takes the matches may be slow.
    const startMs = performance.now()
    if (!matcher.find()) return
    spentMs += performance.now() - startMs
    yield matcher
    if (spentMs < maxSearchMs(text)) continue
    throw new Problem('unprocessable', `The pattern ${pattern.pattern().slice(0, 100)} took more than ${Math.round(maxSearchMs(text))} ms on one text of ${text.length} characters. Use a pattern that needs to look less far ahead, or split the text first.`)
  }
}
