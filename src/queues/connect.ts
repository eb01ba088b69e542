import { Queue, Worker, type Job } from 'bullmq'
import { queues, type QueueName } from '../contract/queues.ts'
import type { Redis } from '../platform/redis.ts'

/** Opens a queue for adding jobs; nothing is waited for, so that a Redis that is away cannot hold up a start. */
export function openQueue(name: QueueName, connection: Redis, prefix: string): Queue {
  const { attempts, keepCompletedS } = queues[name]
  return new Queue(name, {
    connection,
    prefix,
    skipVersionCheck: true,
    skipWaitingForReady: true,
    defaultJobOptions: {
      attempts,
      backoff: { type: 'exponential', delay: 1_000 },
      removeOnComplete: { age: keepCompletedS, count: 1_000 }, // they are there to be looked at, and their work is in the database
      removeOnFail: { age: 7 * 86_400, count: 10_000 },
    },
  })
}

/** Opens a worker on a queue: a job whose process died is taken over within 20 s, however often that happens. */
export function openWorker(
  name: QueueName,
  connection: Redis,
  options: { prefix: string; concurrency: number },
  perform: (job: Job, token: string | undefined, signal: AbortSignal | undefined) => Promise<unknown>,
): Worker {
  return new Worker(name, perform, {
    connection,
    ...options,
    lockDuration: 15_000,
    lockRenewTime: 5_000,
    stalledInterval: 5_000,
    maxStalledCount: 1_000, // the poison cap lives in the database, where a flushed Redis cannot forget it
    skipVersionCheck: true,
    autorun: false,
  })
}
