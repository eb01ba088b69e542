import { Problem } from '../../platform/errors.ts'
import type { RequestFacts } from '../handler.ts'
import type { House } from '../house.ts'
import { askedValues } from '../sirp/engine/ends.ts'
import { wake } from '../sirp/engine/wakes.ts'
import { keptS } from './jobEnds.ts'
import { keptProblem, sealJob } from './sealedJob.ts'
import { isLive } from '../states.ts'

/**
 * Takes a browser job away: one that waits or runs is cancelled and can still be read, one that has ended is removed. The row decides at
 * once, also while Redis or the worker is gone; the worker hears of it through Redis, or when it next renews its lease, and lets its page go.
 */
export async function takeAway(house: House, request: RequestFacts, id: string): Promise<void> {
  if (await cancel(house, request, id)) return wake(house, id, 'stop')
  await house.pool.query({ name: 'browser-job-remove', text: removeSql, values: [id, ...askedValues(request)] })
}

/** Why nobody gets an answer of a cancelled job. */
export const cancelledProblem = (): Problem => new Problem('conflict', 'The job was cancelled before it ended.', { extra: { state: 'cancelled' } })

async function cancel(house: House, request: RequestFacts, id: string): Promise<boolean> {
  const sealed = sealJob(house.box, id, { error: keptProblem(cancelledProblem()) })
  const { rowCount } = await house.pool.query({ name: 'browser-job-cancel', text: cancelSql, values: [id, ...askedValues(request), sealed, keptS] })
  return rowCount !== 0
}

const auditSql = (step: string): string => `
  audited AS (
    INSERT INTO audit_log (actor, operation, target, outcome, request_id, prev_hash, hash)
    SELECT $2::text, $3::text, 'browser/' || id, 'done', $4::text, '', '' FROM ${step})`

const cancelSql = `
  WITH ended AS (
    UPDATE browser_jobs SET status = 'cancelled', sealed = $5, lease_until = NULL, finished_at = now(), updated_at = now(),
      expires_at = now() + $6 * interval '1 second'
    WHERE id = $1 AND ${isLive()} RETURNING id),
  ${auditSql('ended')}
  SELECT id FROM ended`

const removeSql = `
  WITH removed AS (DELETE FROM browser_jobs WHERE id = $1 AND status NOT IN ('queued', 'running') RETURNING id),
  ${auditSql('removed')}
  SELECT id FROM removed`
