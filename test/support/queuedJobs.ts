import { UnrecoverableError, type Job } from 'bullmq'
import type { QueueName } from '../../src/contract/queues.ts'
import { openWorkerRedis } from '../../src/platform/redis.ts'
import { openWorker } from '../../src/queues/connect.ts'
import type { House } from '../../src/services/house.ts'
import { queueOf } from '../../src/services/queuesOf.ts'

/** Adds a job that no worker of the tests takes. */
export function addJob(house: House, queue: QueueName, jobId: string): Promise<Job> {
  return queueOf(house, queue).add('test.job', { id: jobId }, { jobId })
}

/** Does something to the jobs of a queue until one has come to its end, or the test says that it has. */
export async function withWorker(house: House, queue: QueueName, perform: (job: Job) => Promise<unknown>, until: () => Promise<unknown>): Promise<void> {
  const redis = openWorkerRedis(house.env.redisUrl ?? '', house.log)
  const worker = openWorker(queue, redis, { prefix: house.env.redisPrefix, concurrency: 1 }, perform)
  await worker.waitUntilReady()
  void worker.run()
  try {
    await until()
  } finally {
    await worker.close(true)
    redis.disconnect()
  }
}

/** Adds a job and lets it end: with this answer, or, where it is an error, with a failure. */
export async function endJob(house: House, queue: QueueName, jobId: string, answer: unknown): Promise<Job> {
  const job = await addJob(house, queue, jobId)
  const perform = () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer))
  await withWorker(house, queue, perform, async () => {
    while (!(await job.isCompleted()) && !(await job.isFailed())) await new Promise((next) => setImmediate(next))
  })
  return job
}

/** Adds a job and lets it fail for good. */
export function addFailedJob(house: House, queue: QueueName, jobId: string): Promise<Job> {
  return endJob(house, queue, jobId, new UnrecoverableError('The target postgres://me:hunter2@db.example/x was not there.'))
}
