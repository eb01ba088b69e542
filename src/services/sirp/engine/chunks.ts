import { promisify } from 'node:util'
import { constants, deflateRaw, inflateRaw } from 'node:zlib'
import type { Batch } from '../../../query/rows.ts'

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** Speed counts for more than the last percent of size: rows are written once and mostly read once. */
const options = { level: constants.Z_BEST_SPEED }

/** Below this the compression costs more than the bytes that it spares. */
const smallBytes = 2_048

/** Stands before JSON that is not compressed; no deflated data begins with it, because it would name a kind of block that there is not. */
const plain = 0x07

/** Rows as they are kept: JSON, compressed unless they are few. */
export async function encodeRows(rows: Batch): Promise<Buffer> {
  const text = JSON.stringify(rows)
  return text.length < smallBytes ? Buffer.from(String.fromCharCode(plain) + text) : deflate(text, options)
}

/** The rows of a chunk. */
export async function decodeRows(data: Buffer): Promise<Batch> {
  const text = data[0] === plain ? data.toString('utf8', 1) : (await inflate(data)).toString()
  return JSON.parse(text) as Batch // written by encodeRows
}
