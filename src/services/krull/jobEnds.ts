import type { Problem } from '../../platform/errors.ts'
import type { House } from '../house.ts'
import { wake } from '../sirp/engine/wakes.ts'
import { sealFlight, type KeptFlight, type SealedFlight } from './flights.ts'
import type { ClaimedJob } from './jobClaims.ts'
import { keptProblem, openDraft, sealJob, type Outcome } from './sealedJob.ts'
import { isRunning } from '../states.ts'

/** How long an ended job can be read. */
export const keptS = 3_600

/** Ends a job with its answer. */
export function completeBrowserJob(house: House, job: ClaimedJob, answer: unknown, attempts: number): Promise<boolean> {
  return end(house, job, { answer }, { attempts })
}

/** Ends a job with the problem that it met, and keeps what its page did last. */
export function failBrowserJob(house: House, job: ClaimedJob, problem: Problem, flight: KeptFlight | null): Promise<boolean> {
  const sealed = flight && sealFlight(house.box, flight)
  return end(house, job, { error: keptProblem(problem), draft: openDraft(house.box, job) }, { errorCode: problem.code, attempts: 1, flight: sealed })
}

interface EndFacts {
  readonly errorCode?: string
  readonly attempts: number
  readonly flight?: SealedFlight | null
}

/** The outcome takes the place of what was asked for. Answers whether the job was still this owner's. */
async function end(house: House, { id, fence }: ClaimedJob, outcome: Outcome, { errorCode, attempts, flight }: EndFacts): Promise<boolean> {
  const values = [id, fence, sealJob(house.box, id, outcome), errorCode ?? null, attempts, keptS, flight?.id ?? null, flight?.sealed ?? null]
  const { rowCount } = await house.pool.query({ name: 'browser-job-end', text: endSql, values })
  if (rowCount === 0) return false
  wake(house, id, 'ended')
  return true
}

const endSql = `
  WITH ended AS (
    UPDATE browser_jobs SET status = CASE WHEN $4::text IS NULL THEN 'completed' ELSE 'failed' END, sealed = $3, error_code = $4, attempts = $5, lease_until = NULL,
      finished_at = now(), updated_at = now(), expires_at = now() + $6 * interval '1 second'
    WHERE id = $1 AND fence = $2 AND ${isRunning()} RETURNING id),
  flown AS (INSERT INTO flights (id, job_id, sealed) SELECT $7::uuid, id, $8::text FROM ended WHERE $7::uuid IS NOT NULL)
  SELECT id FROM ended`
