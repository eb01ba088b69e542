import type { House } from '../house.ts'
import { giveUpRemote } from './remoteQueries.ts'
import { noteRefused } from './remoteRuns.ts'

const atOnce = 500
/** A job that asks another instance ends long before this; one that has not is lost. */
const lostAfterS = 600

/** Lets runs and schedules show what has become of their queries. */
export async function followRuns(house: House): Promise<void> {
  await house.pool.query({ name: 'schedule-runs-follow', text: followSql, values: [atOnce] })
  const { rows } = await house.pool.query<{ id: string }>({ name: 'schedule-runs-lost', text: lostSql, values: [lostAfterS, atOnce] })
  for (const { id } of rows) await noteRefused(house, id, 'The job that asks the other instance was lost; look whether that instance can be reached.')
  await giveUpRemote(house)
}

/** Rows that another process follows, ticks or changes at this moment are left to the next time: nobody waits for anybody. */
const followSql = `
  WITH seen AS (
    SELECT run.id, run.schedule_id, run.created_at, coalesce(queries.status, 'deleted') AS status, queries.finished_at
    FROM schedule_runs AS run JOIN schedules ON schedules.id = run.schedule_id LEFT JOIN queries ON queries.id = run.query_id
    WHERE run.finished_at IS NULL AND run.query_id IS NOT NULL AND run.sirp_url IS NULL AND run.query_status IS DISTINCT FROM queries.status
    LIMIT $1 FOR UPDATE OF run, schedules SKIP LOCKED),
  runs AS (
    UPDATE schedule_runs SET query_status = seen.status, updated_at = now(),
      finished_at = CASE WHEN seen.status NOT IN ('queued', 'running') THEN coalesce(seen.finished_at, now()) END
    FROM seen WHERE schedule_runs.id = seen.id),
  counted AS (SELECT schedule_id, count(*) FILTER (WHERE status IN ('failed', 'expired')) AS failed FROM seen GROUP BY schedule_id)
  UPDATE schedules SET failed = schedules.failed + counted.failed,
    last_status = coalesce((SELECT status FROM seen WHERE seen.schedule_id = schedules.id AND seen.created_at = last_run_at LIMIT 1), last_status)
  FROM counted WHERE schedules.id = counted.schedule_id`

const lostSql = `
  SELECT id FROM schedule_runs
  WHERE finished_at IS NULL AND query_id IS NULL AND created_at < now() - $1 * interval '1 second' LIMIT $2`
