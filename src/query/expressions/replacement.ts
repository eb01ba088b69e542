import type { Matcher, RE2JS } from 're2js'
import type { Lookup } from './compile.ts'
import { findAll } from './patterns.ts'
import { asText } from './values.ts'

/** A piece of what stands in place of a match: plain text, a group of the match, or a token of the row. */
export type ReplacementPart = { readonly text: string } | { readonly group: number | string } | { readonly token: string }

const pieces = /\$\$|\$(\d{1,2})|\$<([^>$]+)>|\$([^\s$][^$\r\n]*)\$/g

/** Reads a replacement: `$1` and `$<name>` are groups, `$column$` is a token, `$$` a dollar. */
export function readReplacement(written: string): ReplacementPart[] {
  const parts: ReplacementPart[] = []
  let from = 0
  for (const found of written.matchAll(pieces)) {
    const [whole, number, name, token] = found
    parts.push({ text: written.slice(from, found.index) })
    from = found.index + whole.length
    if (number !== undefined) parts.push({ group: Number(number) })
    else if (name !== undefined) parts.push({ group: name })
    else parts.push(token === undefined ? { text: '$' } : { token })
  }
  parts.push({ text: written.slice(from) })
  return parts
}

/** A group that the pattern does not have, or null. */
export function unknownGroup(pattern: RE2JS, parts: readonly ReplacementPart[]): number | string | null {
  const names = pattern.namedGroups()
  const isKnown = (group: number | string): boolean => (typeof group === 'number' ? group <= pattern.groupCount() : Object.hasOwn(names, group))
  const unknown = parts.find((part) => 'group' in part && !isKnown(part.group))
  return unknown && 'group' in unknown ? unknown.group : null
}

/** Replaces every match; what rows put in is plain text, whatever it holds. */
export function replaceMatches(text: string, pattern: RE2JS, parts: readonly ReplacementPart[], lookup: Lookup): string {
  const made: string[] = []
  let from = 0
  for (const matcher of findAll(pattern, text)) {
    made.push(text.slice(from, matcher.start()))
    for (const part of parts) made.push(fillPart(part, matcher, lookup))
    from = matcher.end()
  }
  made.push(text.slice(from))
  return made.join('')
}

function fillPart(part: ReplacementPart, matcher: Matcher, lookup: Lookup): string {
  if ('text' in part) return part.text
  return 'group' in part ? (matcher.group(part.group) ?? '') : asText(lookup(part.token))
}
