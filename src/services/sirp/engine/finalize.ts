import type { House } from '../../house.ts'
import { overOrMissing, type Ending } from './cancel.ts'
import { askedValues, auditSql, endChildren, endedColumns, wakeParentSql, type Asked } from './ends.ts'
import { leaveLine, waitedSql } from './leaveLine.ts'
import { outboxColumns, sendNow, type OutboxJob } from './outbox.ts'
import { wake } from './wakes.ts'
import { isLive } from '../../states.ts'

/**
 * Completes a query with the rows that are stored so far of its furthest stage. Like a cancel it is decided by the row alone:
 * whoever works on the query finds it ended, and writes nothing more.
 */
export async function finalizeQuery(house: House, id: string, asked: Asked): Promise<Ending> {
  const { rows } = await house.pool.query<OutboxJob & { waitedFor: string | null }>({ name: 'query-finalize', text: finalizeSql, values: [id, ...askedValues(asked)] })
  if (rows.length === 0) return overOrMissing(house, id)
  sendNow(house, rows.filter(({ id: job }) => job !== null))
  wake(house, id, 'stop')
  leaveLine(house, id, rows[0]?.waitedFor)
  await endChildren(house, id)
  return 'ended'
}

const finalizeSql = `
  WITH ${waitedSql},
  live AS (SELECT id FROM queries WHERE id = $1 AND ${isLive()} FOR UPDATE),
  furthest AS (
    SELECT row_set, stage FROM query_stages, live WHERE query_id = live.id AND row_set IS NOT NULL ORDER BY stage DESC LIMIT 1),
  done AS (
    SELECT count(*) AS stages FROM query_stages, live
    WHERE query_id = live.id AND (status = 'completed' OR stage = (SELECT stage FROM furthest))),
  size AS (SELECT coalesce(sum(row_count), 0) AS rows FROM row_chunks WHERE set_id = (SELECT row_set FROM furthest)),
  places AS (
    SELECT sequence, sum(row_count) OVER (ORDER BY sequence) - row_count AS row_start FROM row_chunks WHERE set_id = (SELECT row_set FROM furthest)),
  placed AS (UPDATE row_chunks SET row_start = places.row_start FROM places WHERE set_id = (SELECT row_set FROM furthest) AND row_chunks.sequence = places.sequence),
  sets AS (UPDATE row_sets SET complete = true, rows = (SELECT rows FROM size) WHERE id = (SELECT row_set FROM furthest)),
  ended AS (
    UPDATE queries SET status = 'completed', started_at = coalesce(started_at, now()), rows = (SELECT rows FROM size),
      result_set = (SELECT row_set FROM furthest), stages_completed = (SELECT stages FROM done), ${endedColumns}
    FROM live WHERE queries.id = live.id RETURNING queries.id, queries.parent_id),
  stages AS (
    UPDATE query_stages SET status = CASE WHEN stage = (SELECT stage FROM furthest) THEN 'completed' ELSE 'skipped' END, finished_at = now(),
      rows_out = CASE WHEN stage = (SELECT stage FROM furthest) THEN (SELECT rows FROM size) ELSE rows_out END
    FROM ended WHERE query_id = ended.id AND status IN ('queued', 'running')),
  units AS (DELETE FROM query_units USING ended WHERE query_id = ended.id),
  ${auditSql(2)},
  ${wakeParentSql}
  SELECT waited."waitedFor", job.* FROM ended CROSS JOIN waited LEFT JOIN (SELECT ${outboxColumns} FROM sent) AS job ON true`
