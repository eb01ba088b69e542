import type { CellarFormat } from '../../../contract/sirp/cellarFiles.ts'

const ofFormat: Readonly<Record<CellarFormat, string>> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  text: 'text/plain',
  binary: 'application/octet-stream',
}

/** Content types that say nothing: senders use them for what they do not know. */
const vague = new Set(['text/plain', 'application/octet-stream', 'application/vnd.ms-excel'])

/** A content type as it was sent, or undefined where it says nothing or is none. */
export function toldType(contentType: string | undefined): string | undefined {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/.test(type) && !vague.has(type) ? type : undefined
}

/** The content type that a file is kept under. */
export function keptType(told: string | undefined, format: CellarFormat): string {
  return told ?? ofFormat[format]
}

/** Types that no browser runs. */
const harmless = new Set([...Object.values(ofFormat), 'text/json', 'image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf', 'application/zip', 'application/gzip'])

/** The content type that a download is sent under: what a browser might run goes as plain text or as bytes. */
export function sentType(kept: string): string {
  if (harmless.has(kept)) return kept
  return kept.startsWith('text/') ? 'text/plain' : 'application/octet-stream'
}
