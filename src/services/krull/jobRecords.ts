import type { Job } from '../../contract/jobs/jobs.ts'
import type { House } from '../house.ts'
import { isOver, readBrowserJob, type SeenJob } from './jobWaits.ts'
import { openOutcome } from './sealedJob.ts'

const states: Readonly<Record<string, Job['state']>> = { queued: 'waiting', running: 'active', completed: 'completed', failed: 'failed', cancelled: 'failed' }
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** A browser operation as a job; null where the id is none of them. Once it has ended it holds its answer, or why there is none. */
export async function browserJobRecord(house: House, queue: string, id: string): Promise<Job | null> {
  const seen = queue === 'browser' && uuid.test(id) ? await readBrowserJob(house, id) : null
  return seen && { ...recordOf(seen), ...outcomeOf(house, seen) }
}

function recordOf({ id, operation, status, attempts, createdAt, startedAt, finishedAt }: SeenJob): Job {
  return {
    id,
    queue: 'browser',
    name: operation,
    state: states[status] ?? 'unknown',
    attempts,
    createdAt: createdAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    finishedAt: finishedAt?.toISOString() ?? null,
  }
}

function outcomeOf(house: House, seen: SeenJob): Pick<Job, 'result' | 'error'> {
  if (!isOver(seen) || seen.sealed === '') return {}
  const outcome = openOutcome(house.box, seen)
  if ('answer' in outcome) return { result: outcome.answer }
  const { code, detail } = outcome.error
  return { error: { code, detail } }
}
