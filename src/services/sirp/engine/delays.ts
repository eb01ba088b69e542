import type { House } from '../../house.ts'
import { lazily } from './lazily.ts'
import { outboxColumns, sendNow, type OutboxJob } from './outbox.ts'
import type { Owner } from './passes.ts'
import { wake } from './wakes.ts'
import { isRunning } from '../../states.ts'

/** What a query waits for, as its status shows it. */
export interface WaitingFor {
  readonly domain: string
  readonly since: string
  readonly position?: number
  readonly nextAt?: string
}

/** Lets a query go until the policy of a domain lets it through; it holds nothing while it waits. */
export async function delayQuery(house: House, owner: Owner, waitMs: number, waiting: WaitingFor): Promise<void> {
  const { rows } = await house.pool.query<OutboxJob>({ name: 'query-delay', text: delaySql, values: [owner.id, owner.fence, Math.ceil(waitMs), JSON.stringify(waiting)] })
  sendNow(house, rows)
  wake(house, owner.id)
}

/** Shows what a query waits for, or that it waits no more. */
export async function showWaiting(house: House, queryId: string, waiting: WaitingFor | null): Promise<void> {
  await house.pool.query({
    name: 'query-waiting',
    text: `WITH ${lazily} UPDATE queries SET waiting = $2::json FROM lazy WHERE id = $1 AND ${isRunning()}`,
    values: [queryId, waiting === null ? null : JSON.stringify(waiting)],
  })
}

/** The delay counts from now, so that the reconciler does not look for the job before it is due. */
const delaySql = `
  WITH own AS (
    UPDATE queries SET claims = claims - 1, lease_until = NULL, waiting = $4::json, job_no = job_no + 1, enqueued_at = now() + $3 * interval '1 millisecond'
    WHERE id = $1 AND fence = $2 AND ${isRunning()} RETURNING id, job_no),
  sent AS (
    INSERT INTO outbox (queue, name, job_id, payload, delay_ms)
    SELECT 'query', 'query.run', 'query-' || id || '-' || job_no, json_build_object('queryId', id), $3::integer FROM own RETURNING *)
  SELECT ${outboxColumns} FROM sent`
