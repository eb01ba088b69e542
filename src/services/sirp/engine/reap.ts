import type { House } from '../../house.ts'

/** Rows that a worker may just be about to name are left alone for this long. */
const graceS = 600
const atOnce = 200

/** Removes queries whose time has passed, rows that nothing names any more, and what the cache no longer keeps. */
export async function reapRows({ pool }: House): Promise<void> {
  await pool.query({ name: 'reap-queries', text: queriesSql, values: [atOnce] })
  await pool.query({ name: 'reap-stage-cache', text: cacheSql('stage_cache'), values: [atOnce] })
  await pool.query({ name: 'reap-command-cache', text: cacheSql('command_cache'), values: [atOnce] })
  await pool.query({ name: 'reap-sets', text: setsSql, values: [graceS, atOnce] })
}

const queriesSql = `DELETE FROM queries WHERE id IN (SELECT id FROM queries WHERE expires_at < now() ORDER BY expires_at LIMIT $1)`

/** A little later than it is looked for, so that rows that were just found are not taken away. */
const cacheSql = (table: string): string =>
  `DELETE FROM ${table} WHERE key IN (SELECT key FROM ${table} WHERE expires_at < now() - interval '1 minute' ORDER BY expires_at LIMIT $1)`

const setsSql = `
  DELETE FROM row_sets WHERE id IN (
    SELECT id FROM row_sets AS candidate
    WHERE created_at < now() - $1 * interval '1 second'
      AND NOT EXISTS (SELECT 1 FROM query_stages WHERE row_set = candidate.id)
      AND NOT EXISTS (SELECT 1 FROM queries WHERE result_set = candidate.id)
      AND NOT EXISTS (SELECT 1 FROM queries WHERE queries.id = candidate.query_id AND status IN ('queued', 'running'))
      AND NOT EXISTS (SELECT 1 FROM stage_cache WHERE set_id = candidate.id)
      AND NOT EXISTS (SELECT 1 FROM row_orders WHERE sorted_id = candidate.id)
    ORDER BY created_at LIMIT $2)`
