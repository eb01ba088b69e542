import type { House } from '../house.ts'

/** A picture that nothing names can still be asked for by whoever was told its hash. */
const keptS = 86_400
const atOnce = 100

/** Removes pictures that no query and no manifest names, and that nobody has used for a day; and the references of queries that keep only their rows. */
export async function reapImages({ pool }: House): Promise<void> {
  await pool.query({ name: 'reap-query-screenshots', text: cleanedSql, values: [atOnce] })
  await pool.query({ name: 'reap-screenshots', text: imagesSql, values: [keptS, atOnce] })
}

const cleanedSql = `
  DELETE FROM query_screenshots WHERE query_id IN (
    SELECT query_id FROM query_screenshots JOIN queries ON queries.id = query_id WHERE cleanup AND finished_at IS NOT NULL LIMIT $1)`

/** A reference of a manifest is a list that begins with the hash. */
const imagesSql = `
  DELETE FROM screenshots WHERE hash IN (
    SELECT hash FROM screenshots AS candidate
    WHERE used_at < now() - $1 * interval '1 second'
      AND NOT EXISTS (SELECT 1 FROM query_screenshots WHERE query_screenshots.hash = candidate.hash)
      AND NOT EXISTS (SELECT 1 FROM manifests, json_array_elements(manifests.screenshots::json) AS reference WHERE reference->>0 = candidate.hash)
    ORDER BY used_at LIMIT $2 FOR UPDATE SKIP LOCKED)`
