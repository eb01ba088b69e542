import type pg from 'pg'
import type { Batch } from '../../../query/rows.ts'
import { decodeRows } from './chunks.ts'

/** The rows of single runs that earlier queries left under these keys. */
export async function findCachedCommands(pool: pg.Pool, keys: readonly string[]): Promise<Map<string, Batch>> {
  if (keys.length === 0) return new Map()
  const { rows } = await pool.query<{ key: string; data: Buffer }>({
    name: 'command-cache-find',
    text: `SELECT encode(key, 'hex') AS key, data FROM command_cache WHERE key = ANY($1::bytea[]) AND expires_at > now()`,
    values: [keys.map((key) => Buffer.from(key, 'hex'))],
  })
  return new Map(await Promise.all(rows.map(async ({ key, data }) => [key, await decodeRows(data)] as const)))
}
