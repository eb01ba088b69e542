import type { Row } from '../rows.ts'
import { readCommon } from '../times.ts'

/** What is known of one entry of a feed. */
export interface Entry {
  readonly title: string | null
  readonly link: string | null
  readonly published: string | null
  readonly summary: string | null
  readonly author: string | null
  readonly id: string | null
  /** What its link is relative to, from the outside in, each relative to the one before. */
  readonly bases?: readonly (string | null)[]
}

const readTime = readCommon('utc')

/** The row of an entry: its link made absolute, its time in ISO 8601 where it can be read. */
export function entryRow({ title, link, published, summary, author, id, bases = [] }: Entry, base: string): Row {
  const address = link === null ? null : [...bases, link].reduce<string>(resolved, base)
  return { title, link: address, published: isoOf(published), summary, author, id: id ?? address }
}

/** The address of a reference; one that is missing changes nothing, and one that is none stands for itself. */
function resolved(base: string, reference: string | null): string {
  if (reference === null) return base
  return URL.canParse(reference, base) ? new URL(reference, base).href : reference
}

function isoOf(time: string | null): string | null {
  const epochMs = time === null ? null : (readTime(time) ?? lenient(time))
  return epochMs === null ? time : new Date(epochMs).toISOString()
}

/** Feeds write dates in many ways; those that name their zone are safe to guess. */
function lenient(time: string): number | null {
  const epochMs = /(?:[+-]\d{2}:?\d{2}|\b(?:UTC?|GMT|Z|[ECMP][SD]T))$/i.test(time.trim()) ? Date.parse(time) : Number.NaN
  return Number.isNaN(epochMs) ? null : epochMs
}
