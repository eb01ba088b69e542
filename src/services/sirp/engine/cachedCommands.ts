import type { Batch } from '../../../query/rows.ts'
import type { House } from '../../house.ts'
import { metersOf } from '../../workers/meters.ts'
import { decodeRows } from './chunks.ts'

/** The rows of a run that an earlier query left, and how many bytes they have as they are kept. */
export interface CachedRun {
  readonly rows: Batch
  readonly bytes: number
}

/** What earlier queries left under these keys. */
export async function findCachedCommands(house: House, keys: readonly string[]): Promise<Map<string, CachedRun>> {
  if (keys.length === 0) return new Map()
  const { rows } = await house.pool.query<{ key: string; data: Buffer | null }>({
    name: 'command-cache-find',
    text: findSql,
    values: [keys.map((key) => Buffer.from(key, 'hex'))],
  })
  const found = rows.flatMap(({ key, data }) => (data === null ? [] : [{ key, data }]))
  const { cacheLooks } = metersOf(house)
  cacheLooks.inc({ kind: 'command', outcome: 'hit' }, rows.length)
  cacheLooks.inc({ kind: 'command', outcome: 'miss' }, keys.length - rows.length)
  return new Map(await Promise.all(found.map(async ({ key, data }) => [key, { rows: await decodeRows(data), bytes: data.length }] as const)))
}

/** The time is no condition, lest the index of times be used in place of that of keys. */
const findSql = `
  SELECT encode(key, 'hex') AS key, CASE WHEN expires_at > now() THEN data END AS data
  FROM command_cache WHERE key = ANY($1::bytea[])`
