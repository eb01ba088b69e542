import type pg from 'pg'
import type { House } from '../house.ts'
import { outboxColumns, type OutboxJob } from '../sirp/engine/outbox.ts'

/** A run that another instance is to be asked for. */
export interface RemoteRun {
  readonly id: string
  readonly sirpUrl: string
  readonly query: string
  readonly ttl: number | null
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly summary: boolean | null
  readonly cleanup: boolean | null
}

/** Writes the job of such a run into the outbox. */
export async function queueRemote(client: pg.PoolClient, runId: string): Promise<OutboxJob> {
  const { rows } = await client.query<OutboxJob>({ name: 'schedule-remote', text: queueSql, values: [runId] })
  const [job] = rows
  if (!job) throw new Error('an insert without a condition has inserted nothing')
  return job
}

/** A run that nobody has dispatched yet; undefined where it was, or its schedule is gone. */
export async function findRemoteRun({ pool }: House, id: string): Promise<RemoteRun | undefined> {
  const { rows } = await pool.query<RemoteRun>({ name: 'schedule-remote-find', text: findSql, values: [id] })
  return rows[0]
}

/** Notes that the other instance has taken the query, under this id; it is followed from now on. */
export async function noteDispatched({ pool }: House, { id, sirpUrl }: RemoteRun, queryId: string): Promise<void> {
  await pool.query({ name: 'schedule-remote-taken', text: takenSql, values: [id, queryId, sirpUrl] })
}

/** Notes that the other instance cannot be brought to run the query. */
export async function noteRefused({ pool }: House, runId: string, reason: string): Promise<void> {
  await pool.query({ name: 'schedule-remote-refused', text: refusedSql, values: [runId, reason] })
}

const queueSql = `
  INSERT INTO outbox (queue, name, job_id, payload)
  VALUES ('almanac', 'almanac.remote', 'remote-' || $1::text || '-1', json_build_object('runId', $1::text)) RETURNING ${outboxColumns}`

/** Nobody has taken the run yet, and nobody has given it up. */
const isWaiting = 'query_id IS NULL AND finished_at IS NULL'

const findSql = `
  SELECT run.id, schedules.sirp_url AS "sirpUrl", query, ttl, metadata, summary, cleanup
  FROM schedule_runs AS run JOIN schedules ON schedules.id = schedule_id AND schedules.sirp_url IS NOT NULL
  WHERE run.id = $1::uuid AND ${isWaiting}`

/** The last run of a schedule was begun by the transaction that wrote down when. */
const takenSql = `
  WITH taken AS (
    UPDATE schedule_runs SET query_id = $2::uuid, query_status = 'dispatched', sirp_url = $3, look_at = now() + interval '1 second', updated_at = now()
    WHERE id = $1::uuid AND ${isWaiting} RETURNING schedule_id, created_at)
  UPDATE schedules SET last_status = 'dispatched', last_query_id = $2::uuid
  FROM taken WHERE schedules.id = taken.schedule_id AND last_run_at = taken.created_at`

const refusedSql = `
  WITH refused AS (
    UPDATE schedule_runs SET status = 'failed', reason = $2, query_status = NULL, updated_at = now(), finished_at = now()
    WHERE id = $1::uuid AND ${isWaiting} RETURNING schedule_id, created_at)
  UPDATE schedules SET failed = failed + 1, last_status = CASE WHEN last_run_at = refused.created_at THEN 'failed' ELSE last_status END
  FROM refused WHERE schedules.id = refused.schedule_id`
