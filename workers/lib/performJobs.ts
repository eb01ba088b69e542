import { DelayedError, UnrecoverableError, WaitingError, type Job } from 'bullmq'
import { Compile } from 'typebox/compile'
import { jobList, queues, type QueueName } from '../../src/contract/queues.ts'
import { Problem } from '../../src/platform/errors.ts'
import type { Logger } from '../../src/platform/logger.ts'
import { LinkedStop } from '../../src/platform/stop.ts'
import { currentSpan, inSpan, placeOf, type SpanStart } from '../../src/platform/tracing.ts'
import type { JobFacts } from '../../src/queues/processor.ts'
import { shutdownReason } from './drain.ts'
import { NotNow } from './notNow.ts'

/** A processor whose payload is not known to its caller: older code may have queued it. */
export type AnyProcessor = (payload: never, facts: JobFacts) => Promise<unknown>

/** Makes the function that BullMQ calls: checks the payload again, bounds the time, and tells expected failures from surprises. */
export function performJobs(queue: QueueName, processors: Readonly<Record<string, AnyProcessor>>, log: Logger, isEnding = () => false) {
  const payloads = new Map(jobList.filter(([, row]) => row.queue === queue).map(([name, row]) => [name as string, Compile(row.payload)]))

  const perform = async (job: Job, token: string | undefined, signal: AbortSignal | undefined): Promise<unknown> => {
    const processor = processors[job.name]
    const payload: unknown = job.data
    if (!processor || !payloads.get(job.name)?.Check(payload)) {
      throw new UnrecoverableError(`This version does not know the job ${job.name} with such a payload.`)
    }
    const stop = new LinkedStop(signal)
    const deadline = setTimeout(() => stop.abort(new DOMException('The job took too long.', 'TimeoutError')), queues[queue].deadlineMs)
    const facts = {
      jobId: job.id ?? '',
      attempt: job.attemptsStarted,
      signal: stop.signal,
      isEnding,
      log: log.child({ job: job.name, jobId: job.id, ...traceOf() }),
    }
    try {
      return await processor(payload as never, facts) // checked against this job's schema just above
    } catch (err) {
      if (signal?.reason === shutdownReason) return await giveBack(job, token)
      if (err instanceof NotNow) return await postpone(job, token, err.delayMs)
      facts.log.warn({ err }, 'job failed')
      if (err instanceof Problem) throw new UnrecoverableError(err.message)
      throw err
    } finally {
      clearTimeout(deadline)
      stop.letGo()
    }
  }
  return (job: Job, token: string | undefined, signal: AbortSignal | undefined): Promise<unknown> => inSpan(job.name, () => startOf(queue, job), () => perform(job, token, signal))
}

/** Whatever a job does a part of, its span hangs below the dispatch of that. */
function startOf(queue: QueueName, { id = '', data, attemptsStarted }: Job): SpanStart {
  const { queryId, jobId, runId, stage, firstRow } = data as Partial<Record<string, unknown>> // not checked yet, and only looked at
  const [work] = [queryId, jobId, runId].filter((one) => typeof one === 'string')
  const facts = Object.entries({ 'quern.query_id': queryId, 'quern.stage': stage, 'quern.first_row': firstRow })
  return {
    kind: 'consumer',
    parent: (work === undefined ? undefined : placeOf(work)) ?? null,
    facts: {
      'messaging.system': 'bullmq',
      'messaging.destination.name': queue,
      'messaging.message.id': id,
      'quern.attempt': attemptsStarted,
      ...Object.fromEntries(facts.filter((entry): entry is [string, string | number] => ['string', 'number'].includes(typeof entry[1]))),
    },
    isHarmless: (error) => error instanceof WaitingError || error instanceof DelayedError,
  }
}

const traceOf = (): { traceId?: string } => {
  const span = currentSpan()
  return span ? { traceId: span.place.traceId } : {}
}

async function postpone(job: Job, token: string | undefined, delayMs: number): Promise<never> {
  await job.moveToDelayed(Date.now() + delayMs, token)
  throw new DelayedError()
}

/** Puts a job that our own end interrupted back in line: the interruption is no failure of the job. */
async function giveBack(job: Job, token: string | undefined): Promise<never> {
  await job.moveToWait(token)
  throw new WaitingError()
}
