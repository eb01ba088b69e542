import type { Queue } from 'bullmq'
import type { QueueName } from '../contract/queues.ts'
import { openQueue } from '../queues/connect.ts'
import type { House } from './house.ts'

const opened = new WeakMap<House, Map<QueueName, Queue>>()

/** The queue of this process for adding jobs; opened when it is first needed. */
export function queueOf(house: House, name: QueueName): Queue {
  const queues = opened.get(house) ?? new Map<QueueName, Queue>()
  opened.set(house, queues)
  const known = queues.get(name)
  if (known) return known
  const queue = openQueue(name, house.redis, house.env.redisPrefix)
  queue.on('error', () => undefined) // whoever adds a job hears of it, and the house's own client tells of a Redis that is away
  queues.set(name, queue)
  return queue
}

/** Lets go of the queues of a process; its Redis connection stays open. */
export async function closeQueues(house: House): Promise<void> {
  const queues = opened.get(house)
  opened.delete(house)
  await Promise.all([...(queues?.values() ?? [])].map((queue) => queue.close()))
}
