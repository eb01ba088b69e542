import { isUtf8 } from 'node:buffer'
import { unfinishedBytes } from '../../platform/utf8.ts'
import type { RowFormat } from './readRows.ts'

/** What a file holds: rows in a format, text, or other bytes. */
export type Format = RowFormat | 'text' | 'binary'

/** What is known of a file when its format is told. */
export interface Evidence {
  readonly name: string
  /** As its sender gave it; those that say nothing count as not given. */
  readonly contentType?: string | undefined
  /** The first bytes. */
  readonly head: Buffer
  /** Whether the head is all of it. */
  readonly isWhole: boolean
}

/** Tells the format of a file by its content type, else its ending, else its content. */
export function tellFormat(evidence: Evidence): Format {
  return formatOfType(evidence.contentType ?? '') ?? formatOfEnding(evidence.name) ?? formatOfContent(evidence)
}

const byType: Readonly<Record<string, RowFormat>> = {
  'application/json': 'json',
  'text/json': 'json',
  'application/ndjson': 'ndjson',
  'application/x-ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'application/x-jsonlines': 'ndjson',
  'text/csv': 'csv',
  'application/csv': 'csv',
}

/** The format that a content type tells, or undefined where it could be anything. */
export function formatOfType(contentType: string): Format | undefined {
  if (Object.hasOwn(byType, contentType)) return byType[contentType]
  if (contentType.endsWith('+json')) return 'json'
  if (/^(?:image\/(?!svg)|audio\/|video\/|font\/)|^application\/(?:zip|gzip|x-gzip|pdf)$/.test(contentType)) return 'binary'
  if (/^text\/(?:html|xml|markdown|css|javascript)$|^application\/(?:xml|xhtml\+xml|javascript)$|\+xml$/.test(contentType)) return 'text'
  return undefined
}

const byEnding: Readonly<Record<string, RowFormat>> = { json: 'json', ndjson: 'ndjson', jsonl: 'ndjson', csv: 'csv' }

function formatOfEnding(name: string): Format | undefined {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return name.includes('.') && Object.hasOwn(byEnding, ending) ? byEnding[ending] : undefined
}

function formatOfContent({ head, isWhole }: Evidence): Format {
  const whole = isWhole ? head : head.subarray(0, head.length - unfinishedBytes(head))
  if (whole.includes(0) || !isUtf8(whole)) return 'binary'
  const text = whole.toString().replace(/^\ufeff/, '').trimStart()
  const lines = text.split(/\r?\n/)
  // The last line of a part may be cut.
  const complete = (isWhole ? lines : lines.slice(0, -1)).filter((line) => line.trim() !== '')
  if (text.startsWith('{') || text.startsWith('[')) return formatOfJson(text, complete, isWhole)
  return looksLikeCsv(complete) ? 'csv' : 'text'
}

/** Several lines that are JSON each are newline-delimited; one JSON text is that, unless it is all there and broken. */
function formatOfJson(text: string, lines: readonly string[], isWhole: boolean): Format {
  if (lines.length > 1 && lines.slice(0, 10).every(isJson)) return 'ndjson'
  return !isWhole || isJson(text) ? 'json' : 'text'
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A header of short, distinct names, and every line with as many commas outside quotes as it has. */
function looksLikeCsv([header, ...lines]: readonly string[]): boolean {
  if (header === undefined || lines.length === 0) return false
  const names = header.split(',').map((name) => name.trim())
  if (names.length < 2 || names.some((name) => name === '' || name.length > 100) || new Set(names).size < names.length) return false
  const commas = (line: string): number => line.replaceAll(/"(?:[^"]|"")*"/g, '').split(',').length
  return lines.every((line) => commas(line) === names.length)
}
