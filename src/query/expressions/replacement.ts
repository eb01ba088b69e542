import type { Matcher, RE2JS } from 're2js'
import type { Lookup } from './compile.ts'
import { findAll } from './patterns.ts'
import { joinMade } from '../text/made.ts'
import { asText } from './values.ts'

/** A piece of what stands in place of a match: plain text, a group of the match, or a token of the row. */
export type ReplacementPart = { readonly text: string } | { readonly group: number | string } | { readonly token: string }

const groupNumber = /\$\d{1,2}/y
const groupName = /\$<[^>$]+>/y
const tokenName = /\$[^\s$][^$\r\n]*\$/y

/** Reads a replacement, part by part: `$1` and `$<name>` are groups, `$column$` is a token, `$$` a dollar. */
export function* readReplacement(written: string): Generator<ReplacementPart> {
  let from = 0
  for (let at = written.indexOf('$'); at >= 0; at = written.indexOf('$', Math.max(from, at + 1))) {
    const found = partAt(written, at)
    if (!found) continue
    if (at > from) yield { text: written.slice(from, at) }
    yield found.part
    from = found.end
  }
  if (from < written.length) yield { text: written.slice(from) }
}

function partAt(written: string, at: number): { part: ReplacementPart; end: number } | null {
  if (written.startsWith('$$', at)) return { part: { text: '$' }, end: at + 2 }
  const number = endOf(groupNumber, written, at)
  if (number > 0) return { part: { group: Number(written.slice(at + 1, number)) }, end: number }
  const name = endOf(groupName, written, at)
  if (name > 0) return { part: { group: written.slice(at + 2, name - 1) }, end: name }
  const token = endOf(tokenName, written, at)
  return token > 0 ? { part: { token: written.slice(at + 1, token - 1) }, end: token } : null
}

/** Where a match ends that begins at a place; 0 where there is none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : 0
}

/** A group that the pattern does not have, or null. */
export function unknownGroup(pattern: RE2JS, parts: Iterable<ReplacementPart>): number | string | null {
  const names = pattern.namedGroups()
  const isKnown = (group: number | string): boolean => (typeof group === 'number' ? group <= pattern.groupCount() : Object.hasOwn(names, group))
  for (const part of parts) if ('group' in part && !isKnown(part.group)) return part.group
  return null
}

/** Replaces every match; what rows put in is plain text, whatever it holds. */
export function replaceMatches(text: string, pattern: RE2JS, parts: readonly ReplacementPart[], lookup: Lookup): string {
  return joinMade(replacedPieces(text, pattern, parts, lookup))
}

function* replacedPieces(text: string, pattern: RE2JS, parts: readonly ReplacementPart[], lookup: Lookup): Generator<string> {
  let from = 0
  for (const matcher of findAll(pattern, text)) {
    yield text.slice(from, matcher.start())
    for (const part of parts) yield fillPart(part, matcher, lookup)
    from = matcher.end()
  }
  yield text.slice(from)
}

function fillPart(part: ReplacementPart, matcher: Matcher, lookup: Lookup): string {
  if ('text' in part) return part.text
  return 'group' in part ? (matcher.group(part.group) ?? '') : asText(lookup(part.token))
}
