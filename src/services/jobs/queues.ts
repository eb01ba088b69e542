import { queues, type QueueName } from '../../contract/queues.ts'
import { pause } from '../../platform/clock.ts'
import { auditEntry, notFound } from '../change.ts'
import { fromRedis } from '../fromRedis.ts'
import { WithStatus, type HandlersOf, type RequestFacts } from '../handler.ts'
import type { House } from '../house.ts'
import { pageOf } from '../paging.ts'
import { queueOf } from '../queuesOf.ts'
import { isEnding } from '../sirp/engine/wakes.ts'
import { countQueue, countQueues, type QueueView } from './queueCounts.ts'

type Ids = `jobs.queue.${'list' | 'pause' | 'resume' | 'drain' | 'replay'}`

const lookAgainMs = 100

/** The operations on whole queues: held, let go, emptied of running work, and their dead letters sent again. */
export function jobQueueHandlers(house: House): HandlersOf<Ids> {
  return {
    'jobs.queue.list': async ({ query }) => pageOf(query, await fromRedis(house, () => countQueues(house))),
    'jobs.queue.pause': (request) => hold(house, request, queueNamed(request.params.queue)),

    'jobs.queue.resume': async (request) => {
      const name = queueNamed(request.params.queue)
      return audited(house, request, name, async () => {
        await queueOf(house, name).resume()
        return countQueue(house, name)
      })
    },

    'jobs.queue.drain': async (request) => {
      const name = queueNamed(request.params.queue)
      const held = await hold(house, request, name)
      const { waitS } = request.prefer
      if (waitS === undefined) return held
      const seen = await whenIdle(house, name, waitS * 1000, request)
      return seen.active === 0 ? new WithStatus(200, seen) : seen
    },

    'jobs.queue.replay': async (request) => {
      const name = queueNamed(request.params.queue)
      return audited(house, request, name, async () => {
        const queue = queueOf(house, name)
        const replayed = await queue.getFailedCount()
        await queue.retryJobs({ state: 'failed' })
        return { queue: name, replayed }
      })
    },
  }
}

/** A queue by the name in a path, or a 404. */
export function queueNamed(name: string): QueueName {
  if (Object.hasOwn(queues, name)) return name as QueueName // one of the table's own keys
  throw notFound('queue', name)
}

function hold(house: House, request: RequestFacts, name: QueueName): Promise<QueueView> {
  return audited(house, request, name, async () => {
    await queueOf(house, name).pause()
    return countQueue(house, name)
  })
}

async function audited<Answer>(house: House, request: RequestFacts, target: string, work: () => Promise<Answer>): Promise<Answer> {
  const answer = await fromRedis(house, work)
  await house.db.auditEntry.create({ data: auditEntry(request, target, 'done'), select: { seq: true } })
  return answer
}

async function whenIdle(house: House, name: QueueName, waitMs: number, { upload }: RequestFacts): Promise<QueueView> {
  const until = performance.now() + waitMs
  for (;;) {
    const seen = await fromRedis(house, () => countQueue(house, name))
    if (seen.active === 0 || performance.now() >= until || upload.socket.destroyed || isEnding(house)) return seen
    await pause(lookAgainMs)
  }
}
