import { promisify } from 'node:util'
import { constants, deflateRaw, inflateRaw } from 'node:zlib'
import type { Batch, Row } from '../../../query/rows.ts'

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** Speed counts for more than the last percent of size: rows are written once and mostly read once. */
const options = { level: constants.Z_BEST_SPEED }

/** Below this the compression costs more than the bytes that it spares. */
const smallBytes = 2_048

/** Stands before JSON that is not compressed; no deflated data begins with it, because it would name a kind of block that there is not. */
const plain = 0x07

/** Rows as they are kept. */
export const encodeRows = (rows: Batch): Buffer | Promise<Buffer> => encodeJson(rows)

/** JSON, compressed unless it is short; short ones are there at once. */
export function encodeJson(value: unknown): Buffer | Promise<Buffer> {
  const text = JSON.stringify(value)
  return text.length < smallBytes ? Buffer.from(String.fromCharCode(plain) + text) : deflate(text, options)
}

/** The same of JSON that a statement makes: never compressed. */
export const encodedSql = (json: string): string => `convert_to(chr(${plain}) || (${json})::text, 'UTF8')`

/** Whether the rows of a chunk are text as they are kept. */
export const isPlain = (data: Buffer): boolean => data[0] === plain

/** The rows of a chunk. */
export async function decodeRows(data: Buffer): Promise<Batch> {
  return (await decodeSized(data)).rows
}

/** The rows of a chunk, and how many characters they have as JSON. */
export async function decodeSized(data: Buffer): Promise<{ readonly rows: Batch; readonly chars: number }> {
  const { value, chars } = await decodeJson(data)
  return { rows: value as Batch, chars } // written by encodeRows
}

/** What was encoded, and how many characters it has as JSON. */
export async function decodeJson(data: Buffer): Promise<{ readonly value: unknown; readonly chars: number }> {
  const text = isPlain(data) ? data.toString('utf8', 1) : (await inflate(data)).toString()
  return { value: JSON.parse(text), chars: text.length }
}

/** Parts of rows, each with about so many characters of JSON at most; a row that is wider stands alone. */
export function* partsWithin(rows: Iterable<Row>, mostChars: number): Generator<Row[]> {
  let part: Row[] = []
  let chars = 0
  for (const row of rows) {
    const width = charsOf(row)
    if (part.length > 0 && chars + width > mostChars) {
      yield part
      part = []
      chars = 0
    }
    part.push(row)
    chars += width
  }
  if (part.length > 0) yield part
}

/** Roughly the characters of a row as JSON. */
export function charsOf(row: Row): number {
  let chars = 2
  for (const name in row) {
    const cell = row[name]
    chars += name.length + 4 + (typeof cell === 'string' ? cell.length : 8)
  }
  return chars
}
