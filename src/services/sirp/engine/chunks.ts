import { promisify } from 'node:util'
import { constants, deflateRaw, deflateRawSync, inflateRaw } from 'node:zlib'
import type { Batch } from '../../../query/rows.ts'

const deflate = promisify(deflateRaw)
const inflate = promisify(inflateRaw)

/** Speed counts for more than the last percent of size: rows are written once and mostly read once. */
const options = { level: constants.Z_BEST_SPEED }

/** Below this a trip to another thread costs more than the compression itself. */
const smallBytes = 4_096

/** Rows as they are kept: compressed JSON. */
export async function encodeRows(rows: Batch): Promise<Buffer> {
  const text = JSON.stringify(rows)
  return text.length < smallBytes ? deflateRawSync(text, options) : deflate(text, options)
}

/** The rows of a chunk. */
export async function decodeRows(data: Buffer): Promise<Batch> {
  return JSON.parse((await inflate(data)).toString()) as Batch // written by encodeRows
}
