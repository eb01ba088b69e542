import { queues, type QueueName } from '../../contract/queues.ts'
import type { QueueCounts } from '../../contract/sirp/services.ts'
import type { House } from '../house.ts'
import { queueOf } from '../queuesOf.ts'

/** Every queue by name. */
export const queueNames = Object.keys(queues) as QueueName[] // the keys of an object literal are exactly its own

/** A queue as the status of services and the queue operations show it. */
export type QueueView = Required<QueueCounts>

/** How many jobs of a queue are in which state, and how long its first one has waited. */
export async function countQueue(house: House, name: QueueName): Promise<QueueView> {
  const queue = queueOf(house, name)
  const [counts, oldest, paused] = await Promise.all([
    queue.getJobCounts('wait', 'prioritized', 'active', 'delayed', 'failed'),
    queue.getJobs(['wait'], 0, 0, true),
    queue.isPaused(),
  ])
  const { wait = 0, prioritized = 0, active = 0, delayed = 0, failed = 0 } = counts
  const since = oldest[0] === undefined ? house.clock() : oldest[0].timestamp + (oldest[0].opts.delay ?? 0)
  return { queue: name, waiting: wait + prioritized, active, delayed, failed, oldestWaitMs: Math.max(0, Math.round(house.clock() - since)), paused }
}

/** All queues. */
export function countQueues(house: House): Promise<QueueView[]> {
  return Promise.all(queueNames.map((name) => countQueue(house, name)))
}
