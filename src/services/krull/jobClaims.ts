import type { House } from '../house.ts'
import { leaseMs } from '../sirp/engine/bounds.ts'
import { lazily, nextFence } from '../sirp/engine/lazily.ts'
import { outboxColumns, sendNow, type OutboxJob } from '../sirp/engine/outbox.ts'
import { browserJobSql } from './jobStore.ts'
import { isLive, isRunning } from '../states.ts'

/** A browser job as its owner knows it. The fence stands in every write of this owner. */
export interface ClaimedJob {
  readonly id: string
  readonly fence: number
  readonly claims: number
  readonly operation: string
  readonly requestId: string
  readonly sealed: string
  /** How long it may still take; the time began when it was first claimed. */
  readonly leftMs: number
}

/** Makes this process the owner of a job that nobody works on; null where it has ended or belongs to another. */
export async function claimBrowserJob({ pool, env }: House, id: string): Promise<ClaimedJob | null> {
  const { rows } = await pool.query<ClaimedJob>({ name: 'browser-job-claim', text: claimSql, values: [id, leaseMs, env.browserJobMs] })
  return rows[0] ?? null
}

/** Lets a job go without blame, so that another worker can take it at once. */
export async function giveBackBrowserJob({ pool }: House, { id, fence }: ClaimedJob): Promise<void> {
  await pool.query({
    name: 'browser-job-give-back',
    text: `UPDATE browser_jobs SET status = 'queued', lease_until = NULL, claims = claims - 1 WHERE id = $1 AND fence = $2 AND ${isRunning()}`,
    values: [id, fence],
  })
}

/** Lets a job go until the policy of a domain lets it through; it holds nothing while it waits. */
export async function delayBrowserJob(house: House, { id, fence }: ClaimedJob, waitMs: number): Promise<void> {
  const { rows } = await house.pool.query<OutboxJob>({ name: 'browser-job-delay', text: delaySql, values: [id, fence, Math.ceil(waitMs)] })
  sendNow(house, rows)
}

const claimSql = `
  WITH ${lazily} UPDATE browser_jobs SET
    status = 'running', fence = ${nextFence('browser_jobs')}, claims = claims + 1, lease_until = now() + $2 * interval '1 millisecond', updated_at = now(),
    started_at = coalesce(started_at, now()), deadline_at = coalesce(deadline_at, now() + $3 * interval '1 millisecond')
  FROM lazy WHERE id = $1 AND ${isLive()} AND (lease_until IS NULL OR lease_until < now())
  RETURNING id, fence, claims, operation, request_id AS "requestId", sealed,
    (extract(epoch FROM deadline_at - now()) * 1000)::double precision AS "leftMs"`

/** The delay counts from now, so that the reconciler does not look for the job before it is due. */
const delaySql = `
  WITH job AS (
    UPDATE browser_jobs SET status = 'queued', claims = claims - 1, lease_until = NULL, job_no = job_no + 1, enqueued_at = now() + $3 * interval '1 millisecond'
    WHERE id = $1 AND fence = $2 AND ${isRunning()} RETURNING *),
  sent AS (INSERT INTO outbox (queue, name, job_id, payload, delay_ms) ${browserJobSql}, $3::integer FROM job RETURNING *)
  SELECT ${outboxColumns} FROM sent`
