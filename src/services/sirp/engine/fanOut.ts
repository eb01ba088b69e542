import type { QueueName } from '../../../contract/queues.ts'
import type { House } from '../../house.ts'
import { leaseMs } from './bounds.ts'
import { lazily } from './lazily.ts'
import { outboxColumns, sendNow, unitJobSql, type OutboxJob } from './outbox.ts'
import { LostQuery, type Owner } from './passes.ts'
import { wake } from './wakes.ts'
import { isRunning } from '../../states.ts'

/** An expanding stage that is to be run by jobs of its own. */
export interface FanOut {
  readonly stage: number
  readonly label: string | null
  readonly command: string
  readonly kind: string
  readonly setId: string
  readonly queue: QueueName
  /** Input rows, and how many of them one job takes. */
  readonly rows: number
  readonly rowsPerUnit: number
  /** Units that stand in the queue or run at once: more would only keep other queries, and other processes, waiting. */
  readonly unitsAtOnce: number
  /** The fence under which the caller has the first unit for itself; null where that needs a job as the others do. */
  readonly ownFence: number | null
}

/** Hands a stage over to jobs, and lets the query go: the last of them takes it on. Where the database forgets it, the stage is handed over anew. */
export async function fanOut(house: House, owner: Owner, { stage, label, command, kind, setId, queue, rows, rowsPerUnit, unitsAtOnce, ownFence }: FanOut): Promise<void> {
  const { rows: jobs } = await house.pool.query<OutboxJob>({
    name: 'stage-fan-out',
    text: fanOutSql,
    values: [owner.id, owner.fence, stage, label, command, kind, setId, queue, rows, rowsPerUnit, unitsAtOnce, ownFence, leaseMs],
  })
  if (jobs.length === 0) throw new LostQuery()
  sendNow(house, jobs.filter(({ id }) => id !== null))
  wake(house, owner.id)
}

const fanOutSql = `
  WITH ${lazily},
  own AS (
    UPDATE queries SET claims = 0, lease_until = NULL, updated_at = now() FROM lazy WHERE id = $1 AND fence = $2 AND ${isRunning()} RETURNING id),
  size AS (SELECT $9::integer AS rows, $10::integer AS unit),
  sets AS (INSERT INTO row_sets (id, query_id) SELECT $7::uuid, id FROM own),
  stages AS (
    INSERT INTO query_stages (query_id, stage, label, command, kind, status, row_set, rows_in, commands_total, units_left, started_at)
    SELECT id, $3::integer, $4::text, $5::text, $6::text, 'running', $7::uuid, rows, rows, (rows + unit - 1) / unit, now() FROM own, size
    ON CONFLICT (query_id, stage) DO UPDATE SET status = 'running', row_set = excluded.row_set, rows_in = excluded.rows_in, rows_out = 0,
      commands_total = excluded.commands_total, commands_completed = 0, commands_failed = 0, commands_skipped = 0, units_left = excluded.units_left),
  unit AS (
    INSERT INTO query_units (query_id, stage, first_row, row_count, queue, status, fence, claims, lease_until)
    SELECT id, $3::integer, first, least(unit, rows - first), $8::text, CASE WHEN is_own THEN 'running' WHEN first / unit < $11::integer THEN 'queued' ELSE 'pending' END,
      CASE WHEN is_own THEN $12::integer ELSE 0 END, is_own::integer, CASE WHEN is_own THEN now() + $13 * interval '1 millisecond' END
    FROM own, size, generate_series(0, rows - 1, unit) AS first, LATERAL (SELECT first = 0 AND $12::integer IS NOT NULL AS is_own) AS whose RETURNING *),
  sent AS (INSERT INTO outbox (queue, name, job_id, payload) ${unitJobSql} FROM unit WHERE unit.status = 'queued' ORDER BY unit.first_row RETURNING *)
  SELECT job.* FROM own LEFT JOIN (SELECT ${outboxColumns} FROM sent) AS job ON true`
