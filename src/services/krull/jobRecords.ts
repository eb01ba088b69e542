import type { Job } from '../../contract/jobs/jobs.ts'
import { notFound } from '../change.ts'
import type { RequestFacts } from '../handler.ts'
import type { House } from '../house.ts'
import { isOver, readBrowserJob, type SeenJob } from './jobWaits.ts'
import { jobFlightLink } from './links.ts'
import { openOutcome } from './sealedJob.ts'

const states: Readonly<Record<string, Job['state']>> = {
  queued: 'waiting', running: 'active', completed: 'completed', failed: 'failed', cancelled: 'cancelled',
}
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** A request about one job. */
export type JobRequest = RequestFacts & { readonly params: { readonly queue: string; readonly id: string } }

/** The browser operation that a request is about; null where its id is none of them. To a caller who may see only its own, all else is not there. */
export async function seekBrowserJob(house: House, request: JobRequest): Promise<SeenJob | null> {
  const { params: { queue, id }, caller, ownOnly } = request
  const seen = queue === 'browser' && uuid.test(id) ? await readBrowserJob(house, id) : null
  if (ownOnly && seen?.apiKeyId !== caller.keyId) throw notFound('job', id)
  return seen
}

/** The browser operation that a request is about, or a 404. */
export async function findBrowserJob(house: House, request: JobRequest): Promise<SeenJob> {
  const seen = await seekBrowserJob(house, request)
  if (!seen) throw notFound('browser job', request.params.id)
  return seen
}

/** A browser operation as a job. Once it has ended it holds its answer, or why there is none. */
export function browserJobRecord(house: House, seen: SeenJob): Job {
  const { id, operation, status, attempts, createdAt, startedAt, finishedAt, hasFlight } = seen
  return {
    id,
    queue: 'browser',
    name: operation,
    state: states[status] ?? 'unknown',
    attempts,
    createdAt: createdAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    finishedAt: finishedAt?.toISOString() ?? null,
    ...outcomeOf(house, seen),
    ...(hasFlight ? { flight: jobFlightLink(id) } : {}),
  }
}

function outcomeOf(house: House, seen: SeenJob): Pick<Job, 'result' | 'error'> {
  if (!isOver(seen)) return {}
  const outcome = openOutcome(house.box, seen)
  if ('answer' in outcome) return { result: outcome.answer }
  const { code, detail } = outcome.error
  return { error: { code, detail } }
}
