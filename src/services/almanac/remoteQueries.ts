import type { House } from '../house.ts'

/** The query of a scheduled run on another instance. */
export interface RemoteQuery {
  readonly runId: string
  readonly queryId: string
  readonly sirpUrl: string
}

const atOnce = 20
/** How long an instance may leave every question unanswered, and how long a query may go on there at all. */
const [silentHours, longestHours] = [1, 25]

/**
 * Takes the queries that are to be asked for now, so that no other process asks for them too. The older a run, the longer the pause
 * until it is asked for again: from a second up to a minute.
 */
export async function takeLooks({ pool }: House): Promise<RemoteQuery[]> {
  const { rows } = await pool.query<RemoteQuery>({ name: 'remote-queries-take', text: takeSql, values: [atOnce] })
  return rows
}

/** Notes the state that the other instance has told. */
export async function noteState({ pool }: House, runId: string, status: string, hasEnded: boolean): Promise<void> {
  await pool.query({ name: 'remote-query-state', text: `${stateSql} AND id = $4::uuid ${tellSql}`, values: [status, hasEnded, null, runId] })
}

/** Ends the runs whose instance has told nothing for too long: their schedules must not wait for ever. */
export async function giveUpRemote({ pool }: House): Promise<void> {
  const reason = `Nothing was heard of the query for ${silentHours} h, or of its end for ${longestHours} h; look at the instance that runs it.`
  await pool.query({ name: 'remote-queries-lost', text: `${stateSql} AND ${isLost} ${tellSql}`, values: ['lost', true, reason] })
}

const takeSql = `
  UPDATE schedule_runs SET look_at = now() + least(interval '1 minute', greatest(interval '1 second', (now() - created_at) / 10))
  WHERE id IN (SELECT id FROM schedule_runs WHERE look_at <= now() ORDER BY look_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING id AS "runId", query_id AS "queryId", sirp_url AS "sirpUrl"`

const isLost = `look_at IS NOT NULL
  AND (updated_at < now() - interval '${silentHours} hours' OR created_at < now() - interval '${longestHours} hours')`

const stateSql = `
  WITH seen AS (
    UPDATE schedule_runs SET query_status = $1, reason = $3, updated_at = now(),
      finished_at = CASE WHEN $2 THEN now() END, look_at = CASE WHEN $2 THEN NULL ELSE look_at END
    WHERE finished_at IS NULL AND sirp_url IS NOT NULL`

const tellSql = `
    RETURNING schedule_id, created_at),
  counted AS (SELECT schedule_id, count(*) FILTER (WHERE $1 IN ('failed', 'expired', 'lost')) AS failed FROM seen GROUP BY schedule_id)
  UPDATE schedules SET failed = schedules.failed + counted.failed,
    last_status = CASE WHEN EXISTS (SELECT FROM seen WHERE schedule_id = schedules.id AND created_at = last_run_at) THEN $1 ELSE last_status END
  FROM counted WHERE schedules.id = counted.schedule_id`
