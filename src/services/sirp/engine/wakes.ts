import type { Redis } from '../../../platform/redis.ts'
import type { House } from '../../house.ts'

/** How long a listener can sleep when no word comes: the database decides, words from Redis only wake. */
const lookAgainMs = 1_000

/** Says to every process that something about a query has changed. A lost word costs a listener a second at most. */
export function wake({ redis, env }: House, queryId: string): void {
  if (redis.status === 'ready') redis.publish(channelOf(env.redisPrefix), queryId).catch(() => undefined)
}

/** Lets any number of listeners of one process wait for changes of queries over a single subscription. */
export class Wakes {
  readonly #listeners = new Map<string, Set<() => void>>()
  readonly #subscriber: Redis
  readonly #timer: NodeJS.Timeout

  constructor({ redis, env }: House) {
    this.#subscriber = redis.duplicate({ autoResubscribe: true, enableOfflineQueue: true, maxRetriesPerRequest: null, commandTimeout: undefined, socketTimeout: undefined })
    this.#subscriber.on('error', () => undefined) // the house's own client tells of a Redis that is away
    this.#subscriber.on('message', (_channel: string, queryId: string) => this.#call(queryId))
    this.#subscriber.subscribe(channelOf(env.redisPrefix)).catch(() => undefined)
    this.#timer = setInterval(() => this.#callAll(), lookAgainMs).unref()
  }

  /** Calls back on every change of a query, and every second besides; answers how to stop that. */
  listen(queryId: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(queryId) ?? new Set()
    listeners.add(listener)
    this.#listeners.set(queryId, listeners)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(queryId) === listeners) this.#listeners.delete(queryId)
    }
  }

  close(): void {
    clearInterval(this.#timer)
    this.#subscriber.disconnect()
    this.#callAll()
  }

  #call(queryId: string): void {
    for (const listener of this.#listeners.get(queryId) ?? []) listener()
  }

  #callAll(): void {
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener()
  }
}

const channelOf = (prefix: string): string => `${prefix}:wakes`

const opened = new WeakMap<House, Wakes>()

/** The one subscription of this process; opened when somebody first waits. */
export function wakesOf(house: House): Wakes {
  const known = opened.get(house)
  if (known) return known
  const wakes = new Wakes(house)
  opened.set(house, wakes)
  return wakes
}

/** Ends the subscription of a process, where it has one. */
export function closeWakes(house: House): void {
  opened.get(house)?.close()
  opened.delete(house)
}
