import type pg from 'pg'

/** What became of a slot, or of a run that somebody asked for. */
export interface NewRun {
  readonly id: string
  readonly scheduleId: string
  readonly slot: Date | null
  readonly status: 'fired' | 'skipped' | 'failed'
  readonly reason: string | null
  readonly queryId: string | null
}

/** Longest history that one outage leaves; all slots are counted, the oldest have no record of their own. */
const mostMissed = 10_000
const minuteMs = 60_000

/** Records a run; false where its slot has one already. */
export async function recordRun(client: pg.PoolClient, { id, scheduleId, slot, status, reason, queryId }: NewRun): Promise<boolean> {
  const queryStatus = status === 'fired' ? 'queued' : null
  const { rowCount } = await client.query({ name: 'schedule-run', text: runSql, values: [id, scheduleId, slot, status, reason, queryId, queryStatus] })
  return rowCount === 1
}

/** Records the slots before the newest one that nobody ran in time. */
export async function recordMissed(client: pg.PoolClient, scheduleId: string, newestMs: number, missed: number, minutes: number): Promise<void> {
  if (missed === 0) return
  const stepMs = minutes * minuteMs
  const first = new Date(newestMs - Math.min(missed, mostMissed) * stepMs)
  await client.query({ name: 'schedule-missed', text: missedSql, values: [scheduleId, first, new Date(newestMs - stepMs), minutes] })
}

/** What a schedule learns from its slots. */
export interface Advance {
  readonly nextRunAt: Date | null
  readonly skipped: number
  /** The run that took place; null where the newest slot was skipped too. */
  readonly run: Pick<NewRun, 'status' | 'queryId'> | null
}

/** Moves a schedule on to its next slot and counts what became of the ones behind it. */
export async function advance(client: pg.PoolClient, scheduleId: string, { nextRunAt, skipped, run }: Advance): Promise<void> {
  await client.query({ name: 'schedule-advance', text: advanceSql, values: [scheduleId, nextRunAt, skipped, run?.status ?? null, run?.queryId ?? null] })
}

/** Keeps a schedule as it is until the transaction ends; false where it is gone. */
export async function lockSchedule(client: pg.PoolClient, scheduleId: string): Promise<boolean> {
  const { rowCount } = await client.query({ name: 'schedule-hold', text: 'SELECT FROM schedules WHERE id = $1 FOR UPDATE', values: [scheduleId] })
  return rowCount === 1
}

/** Counts a run outside the slots. */
export async function countRun(client: pg.PoolClient, scheduleId: string, queryId: string): Promise<void> {
  await client.query({ name: 'schedule-count-run', text: countSql, values: [scheduleId, queryId] })
}

const runSql = `
  INSERT INTO schedule_runs (id, schedule_id, slot, status, reason, query_id, query_status, finished_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, CASE WHEN $7::text IS NULL THEN now() END) ON CONFLICT DO NOTHING`

const missedSql = `
  INSERT INTO schedule_runs (id, schedule_id, slot, status, reason, finished_at)
  SELECT gen_random_uuid(), $1, slot, 'skipped', 'missed', now()
  FROM generate_series($2::timestamptz, $3::timestamptz, $4::integer * interval '1 minute') AS slot ON CONFLICT DO NOTHING`

const advanceSql = `
  UPDATE schedules SET next_run_at = $2, skipped = skipped + $3,
    fired = fired + ($4::text IS NOT DISTINCT FROM 'fired')::integer, failed = failed + ($4::text IS NOT DISTINCT FROM 'failed')::integer,
    last_run_at = CASE WHEN $4::text IS NULL THEN last_run_at ELSE now() END,
    last_query_id = CASE WHEN $4::text IS NULL THEN last_query_id ELSE $5::uuid END,
    last_status = CASE $4::text WHEN 'fired' THEN 'queued' WHEN 'failed' THEN 'failed' ELSE last_status END
  WHERE id = $1`

const countSql = `UPDATE schedules SET fired = fired + 1, last_run_at = now(), last_query_id = $2, last_status = 'queued' WHERE id = $1`
