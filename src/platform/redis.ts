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
  return redis
}

/** A client for workers: it never gives up, because a worker has nothing better to do than to wait. */
export function openWorkerRedis(url: string, log: Logger): Redis {
  const redis = new Redis(url, { maxRetriesPerRequest: null, connectTimeout: 5_000, retryStrategy: (attempt) => Math.min(attempt * 100, 2_000) })
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
