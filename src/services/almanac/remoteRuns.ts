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

/** Notes that the other instance has taken the query, under this id. */
export async function noteDispatched({ pool }: House, runId: string, queryId: string): Promise<void> {
  await pool.query({ name: 'schedule-remote-taken', text: endSql, values: [runId, 'fired', null, queryId, 'dispatched'] })
}

/** Notes that the other instance cannot be brought to run the query. */
export async function noteRefused({ pool }: House, runId: string, reason: string): Promise<void> {
  await pool.query({ name: 'schedule-remote-refused', text: endSql, values: [runId, 'failed', reason, null, null] })
}

const queueSql = `
  INSERT INTO outbox (queue, name, job_id, payload)
  VALUES ('almanac', 'almanac.remote', 'remote-' || $1::text || '-1', json_build_object('runId', $1::text)) RETURNING ${outboxColumns}`

const findSql = `
  SELECT run.id, sirp_url AS "sirpUrl", query, ttl, metadata, summary, cleanup
  FROM schedule_runs AS run JOIN schedules ON schedules.id = schedule_id AND sirp_url IS NOT NULL
  WHERE run.id = $1::uuid AND query_status = 'queued'`

/** The last run of a schedule was begun by the transaction that wrote down when. */
const endSql = `
  WITH ended AS (
    UPDATE schedule_runs SET status = $2, reason = $3, query_id = $4::uuid, query_status = $5, updated_at = now(), finished_at = now()
    WHERE id = $1::uuid AND query_status = 'queued' RETURNING schedule_id, created_at)
  UPDATE schedules SET failed = failed + ($2 = 'failed')::integer,
    last_status = CASE WHEN last_run_at = ended.created_at THEN coalesce($5, 'failed') ELSE last_status END,
    last_query_id = CASE WHEN last_run_at = ended.created_at THEN $4::uuid ELSE last_query_id END
  FROM ended WHERE schedules.id = ended.schedule_id`
