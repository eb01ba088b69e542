import { Problem } from '../../platform/errors.ts'
import type { RequestFacts } from '../handler.ts'
import type { House } from '../house.ts'
import { browserBacklogOf } from '../sirp/engine/backlog.ts'
import { askedValues } from '../sirp/engine/ends.ts'
import { outboxColumns, sendNow, type OutboxJob } from '../sirp/engine/outbox.ts'
import { browserJobSql } from './jobStore.ts'
import type { SeenJob } from './jobWaits.ts'
import { openOutcome, sealJob, type Outcome } from './sealedJob.ts'

/** Puts a failed browser job back in line, with all of its time before it. */
export async function retryBrowserJob(house: House, request: RequestFacts, job: SeenJob): Promise<void> {
  const outcome: Outcome | null = job.status === 'failed' ? openOutcome(house.box, job) : null
  if (!outcome || 'answer' in outcome || outcome.draft === undefined) throw notFailed(job.status)
  await browserBacklogOf(house).admit(request.caller.keyId)
  const { rows } = await house.pool.query<OutboxJob>({
    name: 'browser-job-retry',
    text: retrySql,
    values: [job.id, ...askedValues(request), sealJob(house.box, job.id, outcome.draft), job.finishedAt],
  })
  if (rows.length === 0) throw notFailed('no longer what it was a moment ago')
  sendNow(house, rows)
}

const notFailed = (state: string): Problem => new Problem('conflict', `Only a failed job can be retried; this one is ${state}.`, { extra: { state } })

const retrySql = `
  WITH job AS (
    UPDATE browser_jobs SET status = 'queued', sealed = $5, error_code = NULL, attempts = 0, claims = 0, lease_until = NULL,
      job_no = job_no + 1, enqueued_at = now(), deadline_at = NULL, started_at = NULL, finished_at = NULL, expires_at = NULL, updated_at = now()
    WHERE id = $1 AND status = 'failed' AND finished_at = $6 RETURNING *),
  flown AS (DELETE FROM flights USING job WHERE flights.job_id = job.id),
  audited AS (
    INSERT INTO audit_log (actor, operation, target, outcome, request_id, prev_hash, hash)
    SELECT $2::text, $3::text, 'browser/' || id, 'done', $4::text, '', '' FROM job),
  sent AS (INSERT INTO outbox (queue, name, job_id, payload) ${browserJobSql} FROM job RETURNING *)
  SELECT ${outboxColumns} FROM sent`
