import type { IncomingMessage } from 'node:http'
import { Problem } from '../../platform/errors.ts'
import type { House } from '../house.ts'
import { waitUntil } from '../sirp/engine/waitForEnd.ts'
import { isEnding } from '../sirp/engine/wakes.ts'
import { cancelledProblem } from './jobCancels.ts'
import { jobFlightLink, linkOf } from './links.ts'
import { openOutcome, problemOf } from './sealedJob.ts'

/** A browser job as one who waits for it sees it. */
export interface SeenJob {
  readonly id: string
  readonly operation: string
  /** The key that asked for it. */
  readonly apiKeyId: string | null
  readonly status: string
  readonly attempts: number
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
  readonly sealed: string
  /** Whether it is kept what its page did last. */
  readonly hasFlight: boolean
}

/** Waits for the end of a job as long as its client does; null for one that is gone. */
export async function seenEnd(house: House, id: string, waitMs: number, { socket }: IncomingMessage): Promise<SeenJob | null> {
  const gone = new AbortController()
  const leave = (): void => gone.abort()
  socket.once('close', leave)
  try {
    return await waitUntil(house, { id, waitMs, signal: gone.signal }, () => readBrowserJob(house, id), (seen) => !seen || isOver(seen))
  } finally {
    socket.off('close', leave)
  }
}

/** The answer of a job that has ended; its problem is thrown, and so is that of a wait that ran out. */
export function answerOf(house: House, id: string, seen: SeenJob | null, waitMs: number): unknown {
  if (!seen) throw new Problem('not_found', `The job ${id} was deleted while it was waited for.`)
  if (!isOver(seen)) throw notEnded(house, seen, waitMs)
  if (seen.status === 'cancelled') throw cancelledProblem()
  const outcome = openOutcome(house.box, seen)
  if ('error' in outcome) throw problemOf(outcome.error, seen.hasFlight ? { jobId: id, flight: jobFlightLink(id) } : {})
  return outcome.answer
}

export const isOver = ({ status }: Pick<SeenJob, 'status'>): boolean => status !== 'queued' && status !== 'running'

/** Reads a job; what it asks for stays in the database until it has ended. */
export async function readBrowserJob({ pool }: House, id: string): Promise<SeenJob | null> {
  const { rows } = await pool.query<SeenJob>({ name: 'browser-job-seen', text: seenSql, values: [id] })
  return rows[0] ?? null
}

function notEnded(house: House, { id }: SeenJob, waitMs: number): Problem {
  const goesOn = `and goes on; read it at ${linkOf(id)}.`
  const options = { extra: { id, jobId: id }, headers: { Location: linkOf(id) } }
  if (isEnding(house)) return new Problem('unavailable', `This process is shutting down. The job ${id} has not ended yet, ${goesOn}`, { retryAfterS: 1, ...options })
  return new Problem('wait_timeout', `The job has not ended within ${waitMs / 1000} seconds, ${goesOn}`, options)
}

const seenSql = `
  SELECT id, operation, api_key_id AS "apiKeyId", status, attempts, created_at AS "createdAt", started_at AS "startedAt", finished_at AS "finishedAt",
    CASE WHEN status IN ('queued', 'running') THEN '' ELSE sealed END AS sealed,
    status = 'failed' AND EXISTS (SELECT FROM flights WHERE job_id = browser_jobs.id) AS "hasFlight"
  FROM browser_jobs WHERE id = $1`
