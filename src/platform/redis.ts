import { Redis } from 'ioredis'
import type { Logger } from './logger.ts'

export type { Redis }

/** A client for producers: it fails fast, so that a request never waits for a Redis that is gone. */
export function openProducerRedis(url: string, log: Logger): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 1_500,
    connectTimeout: 1_500,
    socketTimeout: 2_500, // a connection that is dead without saying so is opened anew
    retryStrategy: (attempt) => Math.min(attempt * 100, 1_000),
  })
  logFirstFailure(redis, log)
  noteLosses(redis)
  return redis
}

/** How long whoever needs Redis waits for a connection that was just lost to be opened anew. */
const backSoonMs = 1_000

const lostAt = new WeakMap<Redis, number>()

/** A client that is new has no connection either, and is about to have one. */
function noteLosses(redis: Redis): void {
  lostAt.set(redis, performance.now())
  redis.on('ready', () => lostAt.delete(redis))
  redis.on('close', () => void (lostAt.has(redis) || lostAt.set(redis, performance.now())))
}

/** Whether commands can be sent: now, or in a moment where the connection was only just lost, or is being opened. */
export async function isReadySoon(redis: Redis): Promise<boolean> {
  if (redis.status === 'ready') return true
  const leftMs = (lostAt.get(redis) ?? 0) + backSoonMs - performance.now()
  if (leftMs <= 0) return false
  return new Promise((settle) => {
    const ready = (): void => {
      clearTimeout(timer)
      settle(true)
    }
    const timer = setTimeout(() => {
      redis.off('ready', ready)
      settle(false)
    }, leftMs)
    redis.once('ready', ready)
  })
}

/** How long Redis may be silent when a worker has asked it something. */
const silenceMs = 5_000
/** The same where the question itself is to wait: a queue waits in Redis up to ten seconds for its next job. */
const waitingSilenceMs = 12_000

/** A client for workers: it never gives up, because a worker has nothing better to do than to wait. */
export function openWorkerRedis(url: string, log: Logger): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    connectTimeout: 5_000,
    socketTimeout: silenceMs, // a connection that is dead without saying so is opened anew
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  })
  // Queues make the connection on which they wait as a copy of this one.
  const duplicate = redis.duplicate.bind(redis)
  redis.duplicate = (override) => duplicate(Object.assign({ socketTimeout: waitingSilenceMs }, override))
  logFirstFailure(redis, log)
  return redis
}

/** One line when Redis goes and one when it is back, not one for every attempt in between. */
function logFirstFailure(redis: Redis, log: Logger): void {
  let down = false
  redis.on('error', (err) => {
    if (!down) log.warn({ err }, 'redis is not reachable')
    down = true
  })
  redis.on('ready', () => {
    if (down) log.info('redis is reachable again')
    down = false
  })
}
