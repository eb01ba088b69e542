import type { House } from '../../house.ts'
import { chunksPerRow, leaseMs } from './bounds.ts'
import { lazily, nextFence } from './lazily.ts'
import { outboxColumns, sendNow, unitJobSql, type OutboxJob } from './outbox.ts'
import { isLive, isRunning } from '../../states.ts'

/** Where a unit stands among all of them. */
export interface UnitKey {
  readonly queryId: string
  readonly stage: number
  readonly firstRow: number
}

/** Some input rows of an expanding stage, as the job that runs them knows them. */
export interface ClaimedUnit extends UnitKey {
  readonly rowCount: number
  readonly fence: number
  readonly claims: number
  readonly apiKeyId: string | null
  readonly requestId: string
  readonly query: string
  readonly known: Readonly<Record<string, unknown>> | null
  /** Where the rows of the stage are collected. */
  readonly setId: string
  /** The rows that go into the stage; null where it is the first and runs once with an empty row. */
  readonly inputSet: string | null
  /** Whether a schedule runs it: then rows that an earlier query left are no answer to what is there now. */
  readonly scheduled: boolean
  /** Whether a policy has held it back before. */
  readonly waited: boolean
  /** Whether it has a job of its own; the job of its query runs it otherwise. */
  readonly hasJob: boolean
}

/** Makes this process the owner of a unit; null where its query has ended or another works on it. What an earlier owner left is removed. */
export async function claimUnit(house: House, { queryId, stage, firstRow }: UnitKey): Promise<ClaimedUnit | null> {
  const { rows } = await house.pool.query<ClaimedUnit>({ name: 'unit-claim', text: claimSql, values: [queryId, stage, firstRow, leaseMs, chunksPerRow] })
  return rows[0] ?? null
}

/** Lets a unit go without blame; one without a job gets one, so that another worker can take it at once. */
export async function giveBackUnit(house: House, { queryId, stage, firstRow, fence, hasJob }: UnitKey & Pick<ClaimedUnit, 'fence' | 'hasJob'>): Promise<void> {
  const { rows } = await house.pool.query<OutboxJob>({ name: 'unit-give-back', text: giveBackSql, values: [queryId, stage, firstRow, fence, hasJob] })
  sendNow(house, rows)
}

const giveBackSql = `
  WITH unit AS (
    UPDATE query_units SET status = 'queued', lease_until = NULL, claims = claims - 1, job_no = job_no + (NOT $5::boolean)::integer, enqueued_at = now()
    WHERE query_id = $1 AND stage = $2 AND first_row = $3 AND fence = $4 AND ${isRunning()} RETURNING *),
  sent AS (INSERT INTO outbox (queue, name, job_id, payload) ${unitJobSql} FROM unit WHERE NOT $5::boolean RETURNING *)
  SELECT ${outboxColumns} FROM sent`

const claimSql = `
  WITH ${lazily},
  claimed AS (
    UPDATE query_units AS unit SET status = 'running', fence = ${nextFence('unit')}, claims = unit.claims + 1, waiting = NULL,
      lease_until = now() + $4 * interval '1 millisecond'
    FROM queries
    WHERE query_id = $1 AND stage = $2 AND first_row = $3 AND ${isLive('unit')} AND (unit.lease_until IS NULL OR unit.lease_until < now())
      AND queries.id = query_id AND ${isRunning('queries')}
    RETURNING unit.*, queries.api_key_id, queries.request_id, queries.query, queries.known, queries.input_id, queries.schedule_id),
  stages AS (SELECT stage, row_set FROM query_stages WHERE query_id = $1 AND stage IN ($2, $2 - 1)),
  cleared AS (
    DELETE FROM row_chunks USING claimed, stages WHERE stages.stage = $2 AND set_id = stages.row_set
      AND sequence >= claimed.first_row::bigint * $5 AND sequence < (claimed.first_row + claimed.row_count)::bigint * $5),
  forgotten AS (
    DELETE FROM command_records AS record USING claimed
    WHERE record.query_id = $1 AND record.stage = $2 AND first_index >= claimed.first_row AND first_index < claimed.first_row + claimed.row_count)
  SELECT query_id AS "queryId", stage, first_row AS "firstRow", row_count AS "rowCount", fence, claims, api_key_id AS "apiKeyId", request_id AS "requestId", schedule_id IS NOT NULL AS scheduled,
    query, known, (SELECT row_set FROM stages WHERE stages.stage = $2) AS "setId",
    CASE WHEN stage = 0 THEN (SELECT result_set FROM queries WHERE id = claimed.input_id) ELSE (SELECT row_set FROM stages WHERE stages.stage = $2 - 1) END AS "inputSet",
    not_before IS NOT NULL AS waited, true AS "hasJob"
  FROM claimed, lazy`

/** The query is alive and the unit still belongs to this owner; a cancel waits until the statement is through, and then finds it done. */
export const ownSql = `
  live AS (SELECT id FROM queries WHERE id = $1 AND ${isRunning()} FOR SHARE),
  own AS (
    SELECT live.id FROM live, query_units WHERE query_id = live.id AND stage = $2 AND first_row = $3 AND fence = $4 AND ${isRunning('query_units')}
    FOR UPDATE OF query_units)`
