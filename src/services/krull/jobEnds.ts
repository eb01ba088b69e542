import type { Problem } from '../../platform/errors.ts'
import type { House } from '../house.ts'
import { wake } from '../sirp/engine/wakes.ts'
import type { ClaimedJob } from './jobClaims.ts'
import { keptProblem, sealJob, type Outcome } from './sealedJob.ts'

/** How long an ended job can be read. */
export const keptS = 3_600

/** Ends a job with its answer. */
export function completeBrowserJob(house: House, job: ClaimedJob, answer: unknown, attempts: number): Promise<boolean> {
  return end(house, job, { answer }, null, attempts)
}

/** Ends a job with the problem that it met. */
export function failBrowserJob(house: House, job: ClaimedJob, problem: Problem): Promise<boolean> {
  return end(house, job, { error: keptProblem(problem) }, problem.code, 1)
}

/** What was asked for is not needed any more, and gives its place to the outcome. Answers whether the job was still this owner's. */
async function end(house: House, { id, fence }: ClaimedJob, outcome: Outcome, errorCode: string | null, attempts: number): Promise<boolean> {
  const { rowCount } = await house.pool.query({ name: 'browser-job-end', text: endSql, values: [id, fence, sealJob(house.box, id, outcome), errorCode, attempts, keptS] })
  if (rowCount === 0) return false
  wake(house, id)
  return true
}

const endSql = `
  UPDATE browser_jobs SET status = CASE WHEN $4::text IS NULL THEN 'completed' ELSE 'failed' END, sealed = $3, error_code = $4, attempts = $5, lease_until = NULL,
    finished_at = now(), updated_at = now(), expires_at = now() + $6 * interval '1 second'
  WHERE id = $1 AND fence = $2 AND status = 'running'`
