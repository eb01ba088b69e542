import { XMLValidator } from 'fast-xml-parser'
import { tellFormat } from './tellFormat.ts'

/** What an answer, or a file inside it, can be read as. */
export type ContentFormat = 'json' | 'ndjson' | 'xml' | 'csv' | 'tsv' | 'parquet' | 'zip' | 'gzip' | 'text' | 'raw'

/** How many bytes tell the format of content that nothing else tells. */
export const headBytes = 65_536

const byMedia: Readonly<Record<string, ContentFormat>> = {
  'application/json': 'json',
  'text/json': 'json',
  'text/x-json': 'json',
  'application/ndjson': 'ndjson',
  'application/x-ndjson': 'ndjson',
  'text/x-ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'application/x-jsonl': 'ndjson',
  'text/jsonl': 'ndjson',
  'application/jsonlines': 'ndjson',
  'application/x-jsonlines': 'ndjson',
  'application/json-lines': 'ndjson',
  'application/stream+json': 'ndjson',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'text/csv': 'csv',
  'application/csv': 'csv',
  'text/comma-separated-values': 'csv',
  'text/tab-separated-values': 'tsv',
  'text/tsv': 'tsv',
  'application/vnd.apache.parquet': 'parquet',
  'application/parquet': 'parquet',
  'application/x-parquet': 'parquet',
  'application/zip': 'zip',
  'application/x-zip-compressed': 'zip',
  'application/gzip': 'gzip',
  'application/x-gzip': 'gzip',
}

/** Archives and pictures that are documents of their own. */
const opaque = /^(?:image|audio|video|font)\/|^application\/(?:pdf|epub\+zip|java-archive|vnd\.(?:openxmlformats|oasis|ms-).*)$/

/** The format that a media type tells, or undefined where it could be anything. */
export function formatOfMedia(media: string): ContentFormat | undefined {
  if (Object.hasOwn(byMedia, media)) return byMedia[media]
  if (media.endsWith('+json')) return 'json'
  if (media.endsWith('+xml')) return 'xml'
  if (media.startsWith('text/')) return 'text'
  return opaque.test(media) ? 'raw' : undefined
}

const byEnding: Readonly<Record<string, ContentFormat>> = {
  json: 'json', geojson: 'json', ndjson: 'ndjson', jsonl: 'ndjson', xml: 'xml', rss: 'xml', atom: 'xml', csv: 'csv', tsv: 'tsv', tab: 'tsv',
  parquet: 'parquet', zip: 'zip', gz: 'gzip', txt: 'text', md: 'text', html: 'text', htm: 'text', log: 'text',
}

/** The format that the ending of a file's name tells. */
export function formatOfName(name: string): ContentFormat | undefined {
  const ending = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(byEnding, ending) ? byEnding[ending] : undefined
}

/** The format that the first bytes alone tell. */
export function formatOfMagic(head: Buffer): 'gzip' | 'zip' | 'parquet' | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip'
  if (head[0] !== 0x50) return undefined // both of the others begin with P
  const four = head.toString('latin1', 0, 4)
  if (four === 'PK\u0003\u0004' || four === 'PK\u0005\u0006') return 'zip'
  return four === 'PAR1' ? 'parquet' : undefined
}

/** The format of UTF-8 text, or of other bytes, by looking at it. */
export function formatOfContent(head: Buffer, isWhole: boolean): ContentFormat {
  const told = tellFormat({ name: '', head, isWhole })
  if (told === 'binary') return 'raw'
  return told === 'text' && looksLikeXml(head.toString().replace(/^\ufeff/, '').trim(), isWhole) ? 'xml' : told
}

const page = /^<(?:!doctype\s+html|!--|html|head|body|main|div|span|p|ul|table|script|style)\b/i

function looksLikeXml(text: string, isWhole: boolean): boolean {
  if (/^<\?xml[\s?]/.test(text)) return true
  if (!/^<[a-z_!]/i.test(text) || page.test(text)) return false
  return !isWhole || XMLValidator.validate(text) === true
}
