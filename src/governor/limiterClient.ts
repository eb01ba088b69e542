import { once } from 'node:events'
import type { Logger } from '../platform/logger.ts'
import type { Redis } from '../platform/redis.ts'
import { redisClock } from './script.ts'

const callersClock = 'local now = tonumber(ARGV[1])'

/** A client that fails at once while Redis is away: a domain that cannot be asked for is left alone. */
export function openLimiterClient(redis: Redis, prefix: string, log: Logger): Redis {
  const client = redis.duplicate({
    keyPrefix: `${prefix}:`,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 1_500,
    connectTimeout: 1_500,
    socketTimeout: 2_500, // a connection that is dead without saying so is opened anew
    retryStrategy: (attempt: number) => Math.min(attempt * 100, 1_000),
  })
  client.on('error', (err) => log.debug({ err }, 'the governor has lost Redis')) // the client it was made from tells of it already
  const define = client.defineCommand.bind(client)
  client.defineCommand = (name, definition) => define(name, { ...definition, lua: onClockOfRedis(definition.lua) })
  client.duplicate = () => deafSubscriber as unknown as Redis // Bottleneck uses no more of it than this
  return client
}

/** Bottleneck's scripts go by the clock of whoever calls them; those of two machines may differ by more than the guard. */
function onClockOfRedis(lua: string): string {
  if (!lua.includes(callersClock)) throw new Error('Bottleneck has other scripts than those of 2.19.5: its clock cannot be replaced')
  return lua.replace(callersClock, redisClock)
}

/** Bottleneck tells its waiting jobs of freed slots by messages; nothing waits in memory here, so nobody listens to them. */
const deafSubscriber = {
  status: 'ready',
  setMaxListeners: () => undefined,
  on: () => undefined,
  subscribe: (_channel: string, done: () => void) => done(),
  unsubscribe: async () => undefined,
  disconnect: () => undefined,
}

/** Waits a moment for a connection that is being made, as right after the start; one that was lost is not waited for. */
export async function whenConnected(client: Redis, boundMs = 1_500): Promise<void> {
  if (!['wait', 'connecting', 'connect'].includes(client.status)) return
  await once(client, 'ready', { signal: AbortSignal.timeout(boundMs) }).catch(() => undefined)
}
