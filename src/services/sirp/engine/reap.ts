import type { House } from '../../house.ts'
import { isLive } from '../../states.ts'

/** Rows that a worker may just be about to name are left alone for this long. */
const graceS = 600
const atOnce = 200
/** How long removing may go on before those who wait for other care have their turn. */
const patienceMs = 1_000

/** Removes queries whose time has passed, rows that nothing names any more, and what the cache no longer keeps: all of it, unless that takes long. */
export async function reapRows({ pool }: House): Promise<void> {
  const until = performance.now() + patienceMs
  const reap = async (name: string, text: string, values: readonly number[]): Promise<void> => {
    for (;;) {
      const { rowCount } = await pool.query({ name, text, values: [...values, atOnce] })
      if (rowCount !== atOnce || performance.now() > until) return
    }
  }
  await reap('reap-queries', queriesSql, [])
  await reap('reap-stage-cache', cacheSql('stage_cache'), [])
  await reap('reap-command-cache', cacheSql('command_cache'), [])
  await reap('reap-sets', setsSql, [graceS])
}

/** What runs as a template stays as long as the query that has not taken its rows yet: it would run once more. */
const queriesSql = `
  DELETE FROM queries WHERE id IN (
    SELECT id FROM queries AS candidate
    WHERE expires_at < now() AND NOT EXISTS (SELECT 1 FROM queries AS parent WHERE parent.id = candidate.parent_id AND ${isLive('parent')})
    ORDER BY expires_at LIMIT $1)`

/** A little later than it is looked for, so that rows that were just found are not taken away. */
const cacheSql = (table: string): string =>
  `DELETE FROM ${table} WHERE key IN (SELECT key FROM ${table} WHERE expires_at < now() - interval '1 minute' ORDER BY expires_at LIMIT $1)`

const setsSql = `
  DELETE FROM row_sets WHERE id IN (
    SELECT id FROM row_sets AS candidate
    WHERE created_at < now() - $1 * interval '1 second'
      AND NOT EXISTS (SELECT 1 FROM query_stages WHERE row_set = candidate.id)
      AND NOT EXISTS (SELECT 1 FROM queries WHERE result_set = candidate.id)
      AND NOT EXISTS (SELECT 1 FROM queries WHERE queries.id = candidate.query_id AND ${isLive()})
      AND NOT EXISTS (SELECT 1 FROM stage_cache WHERE set_id = candidate.id)
      AND NOT EXISTS (SELECT 1 FROM row_orders WHERE sorted_id = candidate.id)
    ORDER BY created_at LIMIT $2)`
