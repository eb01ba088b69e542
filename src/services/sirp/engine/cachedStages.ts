import { Batcher } from '../../../platform/batcher.ts'
import type { House } from '../../house.ts'
import { perHouse } from '../../perHouse.ts'

/** Rows of an earlier query that a stage can use. */
export interface CachedRows {
  readonly setId: string
  readonly rows: number
}

/** Finds rows that are kept under these keys; what is used is kept longer. */
export async function findCached(house: House, keys: readonly (string | null)[]): Promise<(CachedRows | null)[]> {
  const finder = finderOf(house)
  return Promise.all(keys.map(async (key) => (key === null ? null : finder.add(key))))
}

/** Queries that begin together look together. */
const finderOf = perHouse((house) => new Batcher((keys: readonly string[]) => findAll(house, keys), { maxItems: 200, lanes: 2 }))

interface Kept {
  readonly key: string
  readonly setId: string
  readonly rows: string
  readonly fresh: boolean
  readonly old: boolean
}

async function findAll(house: House, keys: readonly string[]): Promise<(CachedRows | null)[]> {
  const values = [keys.map((key) => Buffer.from(key, 'hex')), house.env.cacheTtlS]
  const { rows: kept } = await house.pool.query<Kept>({ name: 'stage-cache-find', text: findSql, values })
  const rows = kept.filter(({ fresh }) => fresh)
  renew(house, rows.filter(({ old }) => old))
  const found = new Map(rows.map(({ key, setId, rows: count }) => [key, { setId, rows: Number(count) }]))
  return keys.map((key) => found.get(key) ?? null)
}

/** Nobody waits for it. */
function renew({ pool, env, log }: House, old: readonly Kept[]): void {
  if (old.length === 0) return
  const values = [old.map(({ key }) => Buffer.from(key, 'hex')), env.cacheTtlS]
  pool.query({ name: 'stage-cache-renew', text: renewSql, values }).catch((err: unknown) => log.debug({ err }, 'cached rows were not renewed'))
}

/** The time is no condition, lest the index of times be used in place of that of keys. */
const findSql = `
  SELECT encode(key, 'hex') AS key, set_id AS "setId", rows, expires_at > now() AS fresh,
    expires_at < now() + $2 * interval '1 second' / 2 AS old
  FROM stage_cache WHERE key = ANY($1::bytea[])`

const renewSql = `UPDATE stage_cache SET expires_at = now() + $2 * interval '1 second' WHERE key = ANY($1::bytea[])`
