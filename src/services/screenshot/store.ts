import type { Screenshot } from '../../contract/screenshot/screenshots.ts'
import type { House } from '../house.ts'

/** A picture as a browser took it. */
export interface TakenImage {
  readonly hash: string
  readonly type: Screenshot['type']
  readonly width: number
  readonly height: number
  readonly bytes: Buffer
}

/** A stored picture. */
export interface StoredImage {
  readonly type: Screenshot['type']
  readonly data: Buffer
}

/** Keeps a picture under the hash of its bytes; the same picture is kept once. */
export async function storeImage({ pool }: House, { hash, type, width, height, bytes }: TakenImage): Promise<void> {
  const { rowCount } = await pool.query({ name: 'screenshot-use', text: 'UPDATE screenshots SET used_at = now() WHERE hash = $1', values: [hash] })
  if (rowCount === 0) await pool.query({ name: 'screenshot-store', text: storeSql, values: [hash, type, width, height, bytes.length, bytes] })
}

/** Reads a picture, and remembers that it was of use; null where there is none. */
export async function readImage({ pool }: House, hash: string): Promise<StoredImage | null> {
  const { rows } = await pool.query<StoredImage & { isStale: boolean }>({ name: 'screenshot-read', text: readSql, values: [hash] })
  const [image] = rows
  if (!image) return null
  if (image.isStale) await pool.query({ name: 'screenshot-use', text: 'UPDATE screenshots SET used_at = now() WHERE hash = $1', values: [hash] })
  return image
}

/** The address of a stored picture. */
export const imageUrl = (hash: string): string => `/v1/screenshot/${hash}`

const storeSql = `
  INSERT INTO screenshots (hash, type, width, height, bytes, data) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (hash) DO UPDATE SET used_at = now()`

/** One write an hour is enough to know that a picture is used. */
const readSql = `SELECT type, data, used_at < now() - interval '1 hour' AS "isStale" FROM screenshots WHERE hash = $1`
