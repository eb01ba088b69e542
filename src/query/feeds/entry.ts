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
}

const readTime = readCommon('utc')

/** The row of an entry: its link made absolute, its time in ISO 8601 where it can be read. */
export function entryRow({ title, link, published, summary, author, id }: Entry, base: string): Row {
  const address = link !== null && URL.canParse(link, base) ? new URL(link, base).href : link
  return { title, link: address, published: isoOf(published), summary, author, id: id ?? address }
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
