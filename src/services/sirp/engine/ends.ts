import type { Failure } from '../../../contract/sirp/queryRecord.ts'
import { storableJson } from '../../../platform/storableText.ts'
import type { RequestFacts } from '../../handler.ts'
import type { House } from '../../house.ts'
import { leaveLine, waitedSql } from './leaveLine.ts'
import { outboxColumns, sendNow, type OutboxJob } from './outbox.ts'
import { wake } from './wakes.ts'
import { isLive, isRunning } from '../../states.ts'

/** How a query can end without having come to its end. */
export type EndState = 'failed' | 'cancelled' | 'expired'

/** Who may end a query: anybody (a cancel, a deadline), its owner, or the owner of one of its units. */
export type EndedBy =
  | { readonly anyone: true; readonly asked?: Asked }
  | { readonly fence: number }
  | { readonly stage: number; readonly firstRow: number; readonly fence: number }

/** The request that asks for an end; it is written into the audit log together with the end. */
export type Asked = Pick<RequestFacts, 'caller' | 'operation' | 'requestId'>

/** The values of an entry in the audit log; all are null where nobody asked. */
export const askedValues = (asked: Asked | undefined): (string | null)[] => [asked?.caller.keyId ?? null, asked?.operation ?? null, asked?.requestId ?? null]

/** Ends a query that has not ended yet; answers whether it was this call that did. Nothing is written for it afterwards. */
export async function endQuery(house: House, id: string, status: EndState, error: Failure | null, by: EndedBy): Promise<boolean> {
  const unit = 'firstRow' in by ? by : null
  const { rows } = await house.pool.query<OutboxJob & { ended: boolean; waitedFor: string | null }>({
    name: 'query-end',
    text: endSql,
    values: [id, status, error === null ? null : storableJson(error), error?.stage ?? null, 'fence' in by && !unit ? by.fence : null, unit?.stage ?? null, unit?.firstRow ?? null, unit?.fence ?? null, ...askedValues('anyone' in by ? by.asked : undefined)],
  })
  if (rows.length === 0) return false
  sendNow(house, rows.filter(({ id: job }) => job !== null))
  wake(house, id, 'stop')
  leaveLine(house, id, rows[0]?.waitedFor)
  await endChildren(house, id)
  return true
}

/** Queries that an ended one runs as templates have nobody left to run for. */
export async function endChildren(house: House, parentId: string): Promise<void> {
  const { rows } = await house.pool.query<{ id: string }>({
    name: 'query-children',
    text: `SELECT id FROM queries WHERE parent_id = $1 AND ${isLive()}`,
    values: [parentId],
  })
  for (const { id } of rows) await endQuery(house, id, 'cancelled', null, { anyone: true })
}

/** The columns that every ending sets; a query that another one runs wakes that one by a job. */
export const endedColumns = `
  finished_at = now(), updated_at = now(), lease_until = NULL, waiting = NULL,
  expires_at = CASE WHEN ttl > 0 THEN now() + ttl * interval '1 second' END`

/** The step behind an ending (`ended`) that writes down who asked for it; its values stand from a place on. */
export const auditSql = (from: number): string => `
  audited AS (
    INSERT INTO audit_log (actor, operation, target, outcome, request_id, prev_hash, hash)
    SELECT $${from}::text, $${from + 1}::text, id::text, 'done', $${from + 2}::text, '', '' FROM ended WHERE $${from}::text IS NOT NULL)`

/** Steps behind an ending (`ended`): the query that waits for it goes on; named `sent`, with the columns of the outbox. */
export const wakeParentSql = `
  parent AS (
    UPDATE queries SET job_no = queries.job_no + 1, enqueued_at = now() FROM ended
    WHERE queries.id = ended.parent_id AND ${isRunning('queries')} RETURNING queries.id, queries.job_no),
  sent AS (
    INSERT INTO outbox (queue, name, job_id, payload)
    SELECT 'query', 'query.run', 'query-' || id || '-' || job_no, json_build_object('queryId', id) FROM parent RETURNING *)`

const endSql = `
  WITH ${waitedSql},
  ended AS (
    UPDATE queries SET status = $2, error = $3::json, ${endedColumns}
    WHERE id = $1 AND ${isLive()} AND ($5::integer IS NULL OR fence = $5)
      AND ($6::integer IS NULL OR EXISTS (SELECT 1 FROM query_units WHERE query_id = $1 AND stage = $6 AND first_row = $7 AND fence = $8 AND ${isRunning()}))
    RETURNING id, parent_id),
  stages AS (
    UPDATE query_stages SET status = CASE WHEN stage = $4 THEN 'failed' ELSE 'cancelled' END, error = CASE WHEN stage = $4 THEN $3::json END, finished_at = now()
    FROM ended WHERE query_id = ended.id AND status IN ('queued', 'running')),
  units AS (DELETE FROM query_units USING ended WHERE query_id = ended.id),
  ${auditSql(9)},
  ${wakeParentSql}
  SELECT true AS ended, waited."waitedFor", job.* FROM ended CROSS JOIN waited LEFT JOIN (SELECT ${outboxColumns} FROM sent) AS job ON true`
