import type pg from 'pg'
import type { House } from '../house.ts'

/** A schedule that is due, as it was before anybody looked at its query. */
export interface DueSchedule {
  readonly id: string
  readonly version: number
  readonly query: string
  readonly values: Readonly<Record<string, unknown>> | null
  readonly sirpUrl: string | null
  readonly ttl: number | null
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly summary: boolean | null
  readonly cleanup: boolean | null
  readonly apiKeyId: string | null
  readonly nextRunAt: Date
}

/** What decides about a due slot, read under the lock of its schedule. */
export interface LockedSchedule {
  readonly minutes: number
  readonly overlap: string
  readonly anchorAt: Date
  /** The time by the database: the clocks of several machines differ. */
  readonly now: Date
  /** Whether an earlier run has not ended. */
  readonly busy: boolean
}

const atOnce = 200

/** Schedules whose next slot has come, the longest waiting first. */
export async function dueSchedules({ pool }: House): Promise<DueSchedule[]> {
  const { rows } = await pool.query<DueSchedule>({ name: 'schedules-due', text: dueSql, values: [atOnce] })
  return rows
}

/** Takes a due schedule for this transaction; null where another process has it, or it is not due any more. */
export async function lockDue(client: pg.PoolClient, { id, version, nextRunAt }: DueSchedule): Promise<LockedSchedule | null> {
  const { rows } = await client.query<LockedSchedule>({ name: 'schedule-lock', text: lockSql, values: [id, version, nextRunAt] })
  return rows[0] ?? null
}

const dueSql = `
  SELECT id, version, query, template_values AS "values", sirp_url AS "sirpUrl", ttl, metadata, summary, cleanup,
    api_key_id AS "apiKeyId", next_run_at AS "nextRunAt"
  FROM schedules WHERE enabled AND next_run_at <= now() ORDER BY next_run_at LIMIT $1`

/** A run of another instance counts until that instance has told its end; one of ours may have ended since it was last looked at. */
const busySql = `
  EXISTS (
    SELECT FROM schedule_runs AS run LEFT JOIN queries ON queries.id = run.query_id
    WHERE run.schedule_id = schedules.id AND run.finished_at IS NULL
      AND (run.query_id IS NULL OR run.sirp_url IS NOT NULL OR queries.status IN ('queued', 'running')))`

const lockSql = `
  SELECT minutes, overlap, anchor_at AS "anchorAt", now() AS now, ${busySql} AS busy
  FROM schedules WHERE id = $1 AND version = $2 AND next_run_at = $3 AND enabled FOR UPDATE SKIP LOCKED`
