import { inDispatch } from '../../platform/tracing.ts'
import type { House } from '../house.ts'
import { outboxColumns, sendNow, type OutboxJob } from '../sirp/engine/outbox.ts'
import { sealJob } from './sealedJob.ts'

/** All that is stored of a browser job when it is asked for. */
export interface NewBrowserJob {
  readonly id: string
  readonly operation: string
  readonly apiKeyId: string
  readonly requestId: string
  readonly draft: unknown
  /** Whether the audit log names it: one that only looks leaves no entry. */
  readonly audited: boolean
}

/** Stores a job, its entry in the outbox and in the audit log in one transaction, and sends it; false where its id is taken. */
export function storeBrowserJob(house: House, job: NewBrowserJob): Promise<boolean> {
  return inDispatch(job.id, 'browser.dispatch', () => ({ 'quern.job_id': job.id, 'quern.operation': job.operation }), () => store(house, job))
}

async function store(house: House, job: NewBrowserJob): Promise<boolean> {
  const { id, operation, apiKeyId, requestId, draft, audited } = job
  const { rows } = await house.pool.query<OutboxJob>({
    name: 'browser-job-store',
    text: storeSql,
    values: [id, operation, apiKeyId, requestId, sealJob(house.box, id, draft), audited],
  })
  sendNow(house, rows)
  return rows.length > 0
}

/** What makes the queue's job of a stored one (`job`, with its number). */
export const browserJobSql = `SELECT 'browser', 'browser.run', 'browser-' || job.id || '-' || job.job_no, json_build_object('jobId', job.id)`

const storeSql = `
  WITH job AS (
    INSERT INTO browser_jobs (id, operation, api_key_id, request_id, sealed) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (id) DO NOTHING RETURNING *),
  sent AS (INSERT INTO outbox (queue, name, job_id, payload) ${browserJobSql} FROM job RETURNING *),
  audited AS (
    INSERT INTO audit_log (actor, operation, target, outcome, request_id, prev_hash, hash)
    SELECT api_key_id::text, operation, id::text, 'done', request_id, '', '' FROM job WHERE $6::boolean)
  SELECT ${outboxColumns} FROM sent`
