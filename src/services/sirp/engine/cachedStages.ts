import type { House } from '../../house.ts'

/** Rows of an earlier query that a stage can use. */
export interface CachedRows {
  readonly setId: string
  readonly rows: number
}

/** Finds rows that are kept under these keys; what is used is kept longer. */
export async function findCached({ pool, log }: House, keys: readonly (string | null)[], ttlS: number): Promise<(CachedRows | null)[]> {
  const asked = keys.filter((key) => key !== null)
  if (asked.length === 0) return keys.map(() => null)
  const { rows } = await pool.query<CachedRows & { key: string; old: boolean }>({ name: 'stage-cache-find', text: findSql, values: [asked.map((key) => Buffer.from(key, 'hex')), ttlS] })
  const old = rows.filter((row) => row.old).map(({ key }) => Buffer.from(key, 'hex'))
  if (old.length > 0) pool.query({ name: 'stage-cache-renew', text: renewSql, values: [old, ttlS] }).catch((err: unknown) => log.debug({ err }, 'cached rows were not renewed'))
  const found = new Map(rows.map(({ key, setId, rows: count }) => [key, { setId, rows: Number(count) }]))
  return keys.map((key) => (key === null ? null : (found.get(key) ?? null)))
}

const findSql = `
  SELECT encode(key, 'hex') AS key, set_id AS "setId", rows, expires_at < now() + $2 * interval '1 second' / 2 AS old
  FROM stage_cache WHERE key = ANY($1::bytea[]) AND expires_at > now()`

const renewSql = `UPDATE stage_cache SET expires_at = now() + $2 * interval '1 second' WHERE key = ANY($1::bytea[])`
