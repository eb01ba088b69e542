import type { Job as QueuedJob } from 'bullmq'
import { jobStates, type Job } from '../../contract/jobs/jobs.ts'
import type { QueueName } from '../../contract/queues.ts'
import { Problem } from '../../platform/errors.ts'
import { auditEntry, orNotFound } from '../change.ts'
import { fromRedis } from '../fromRedis.ts'
import type { HandlersOf, RequestFacts } from '../handler.ts'
import type { House } from '../house.ts'
import { takeAway } from '../krull/jobCancels.ts'
import { browserJobRecord, findBrowserJob, seekBrowserJob } from '../krull/jobRecords.ts'
import { retryBrowserJob } from '../krull/jobRetries.ts'
import type { Paged } from '../paging.ts'
import { queueOf } from '../queuesOf.ts'
import { presentJob } from './presentJob.ts'
import { queueNames } from './queueCounts.ts'
import { queueNamed } from './queues.ts'

type Ids = `jobs.job.${'list' | 'read' | 'delete' | 'retry'}`

/** The operations on single jobs, as their queues hold them. */
export function jobHandlers(house: House): HandlersOf<Ids> {
  return {
    'jobs.job.list': ({ query: { queue, state, offset = 0, limit = 100 } }) => {
      const names = queue === undefined ? queueNames : [queue]
      return fromRedis(house, () => listJobs(house, names, state === undefined ? jobStates : [state], { offset, limit }))
    },
    'jobs.job.read': async (request) => {
      const { queue, id } = request.params
      const browserJob = await seekBrowserJob(house, request)
      return browserJob ? browserJobRecord(house, browserJob) : fromRedis(house, () => readJob(house, queue, id))
    },
    'jobs.job.delete': async (request) => {
      if (await seekBrowserJob(house, request)) await takeAway(house, request, request.params.id)
      else await withJob(house, request, remove)
      return undefined
    },
    'jobs.job.retry': async (request) => {
      const { queue, id } = request.params
      const browserJob = await seekBrowserJob(house, request)
      if (browserJob) {
        await retryBrowserJob(house, request, browserJob)
        return browserJobRecord(house, await findBrowserJob(house, request))
      }
      await withJob(house, request, retry)
      return fromRedis(house, () => readJob(house, queue, id))
    },
  }
}

type State = (typeof jobStates)[number]

interface Window {
  readonly offset: number
  readonly limit: number
}

/** Reads no more than the page: each queue keeps the jobs of a state in their order. */
async function listJobs(house: House, names: readonly QueueName[], states: readonly State[], { offset, limit }: Window): Promise<Paged<Job>> {
  const items: Job[] = []
  let [skip, total] = [offset, 0]
  for (const name of names) {
    const queue = queueOf(house, name)
    const counts = await queue.getJobCounts(...states)
    for (const state of states) {
      const count = counts[state] ?? counts[state === 'waiting' ? 'wait' : state] ?? 0
      total += count
      const left = limit - items.length
      if (left > 0 && skip < count) items.push(...(await queue.getJobs([state], skip, skip + left - 1)).map((job) => presentJob(job, state)))
      skip = Math.max(0, skip - count)
    }
  }
  return { items, total, offset, limit }
}

async function readJob(house: House, queue: string, id: string): Promise<Job> {
  const job = await findJob(house, queue, id)
  return presentJob(job, await job.getState())
}

async function findJob(house: House, queue: string, id: string): Promise<QueuedJob> {
  return orNotFound(await queueOf(house, queueNamed(queue)).getJob(id), 'job', id)
}

async function withJob(house: House, request: RequestFacts & { params: { queue: string; id: string } }, work: (job: QueuedJob) => Promise<void>): Promise<void> {
  const { queue, id } = request.params
  await fromRedis(house, async () => work(await findJob(house, queue, id)))
  await house.db.auditEntry.create({ data: auditEntry(request, `${queue}/${id}`, 'done'), select: { seq: true } })
}

/** What the job was for is not forgotten with it: work that has not ended gets a new job. */
async function remove(job: QueuedJob): Promise<void> {
  if ((await job.getState()) === 'active') throw heldByWorker()
  await job.remove().catch((error: Error) => {
    if (/scheduler/i.test(error.message)) throw new Problem('conflict', 'The job belongs to a schedule, which makes it anew; it cannot be deleted.')
    throw /locked/.test(error.message) ? heldByWorker() : error
  })
}

const heldByWorker = (): Problem => new Problem('conflict', 'A worker holds the job; it can be deleted when it has ended.', { extra: { state: 'active' } })

async function retry(job: QueuedJob): Promise<void> {
  const state = await job.getState()
  if (state !== 'failed') throw new Problem('conflict', `Only a failed job can be retried; this one is ${state}.`, { extra: { state } })
  await job.retry('failed')
}
