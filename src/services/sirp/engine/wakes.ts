import type { Redis } from '../../../platform/redis.ts'
import type { House } from '../../house.ts'

/** How long a listener can sleep when no word comes: the database decides, words from Redis only wake. */
const lookAgainMs = 1_000
/** How long the subscription may leave a question unanswered before it counts as dead without having said so. */
const silenceMs = 2_500

/** What happened to a query: it went on, it has ended, or it has ended and those who work on it are to stop. */
export type Word = 'changed' | 'ended' | 'stop'

/** Hears that something has changed, and sometimes what. */
export type WakeListener = (news?: string) => void

/** Says to every process that something about a query has changed, and perhaps what. A lost word costs a listener a second at most. */
export function wake({ redis, env }: House, queryId: string, word: Word = 'changed', news?: string): void {
  const message = news === undefined ? `${word} ${queryId}` : `${word} ${queryId} ${news}`
  if (redis.status === 'ready') redis.publish(channelOf(env.redisPrefix), message).catch(() => undefined)
}

/** Lets any number of listeners of one process wait for changes of queries over a single subscription. */
export class Wakes {
  readonly #listeners = new Map<string, Set<WakeListener>>()
  readonly #waiters = new Map<string, Set<WakeListener>>()
  readonly #stops = new Map<string, Set<WakeListener>>()
  readonly #house: House
  readonly #timer: NodeJS.Timeout
  #subscriber: Redis

  constructor(house: House) {
    this.#house = house
    this.#subscriber = this.#subscribe()
    this.#timer = setInterval(() => this.#lookAgain(), lookAgainMs).unref()
  }

  /** Takes a new subscription in place of the old one; those who listen notice nothing. */
  renew(): void {
    const old = this.#subscriber
    this.#subscriber = this.#subscribe()
    old.disconnect()
  }

  /** Calls back on every change of a query, and every second besides; answers how to end that. */
  listen(queryId: string, listener: WakeListener): () => void {
    return addTo(this.#listeners, queryId, listener)
  }

  /** Calls back when a query has ended, and every second besides; how it goes on until then need not wake those who wait for its end. */
  onEnd(queryId: string, listener: WakeListener): () => void {
    return addTo(this.#waiters, queryId, listener)
  }

  /** Calls back when those who work on a query are to stop. */
  onStop(queryId: string, listener: () => void): () => void {
    return addTo(this.#stops, queryId, listener)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#subscriber.disconnect()
    this.#callAll()
  }

  #subscribe(): Redis {
    const { redis, env } = this.#house
    const subscriber = redis.duplicate({ autoResubscribe: true, enableOfflineQueue: true, maxRetriesPerRequest: null, commandTimeout: undefined, socketTimeout: silenceMs })
    subscriber.on('error', () => undefined) // the house's own client tells of a Redis that is away
    subscriber.on('message', (_channel: string, message: string) => this.#call(message))
    subscriber.subscribe(channelOf(env.redisPrefix)).catch(() => undefined)
    return subscriber
  }

  #call(message: string): void {
    const [, word, queryId = '', news] = /^(\S+) (\S+)(?: (.*))?$/s.exec(message) ?? []
    for (const listener of this.#listeners.get(queryId) ?? []) listener(news)
    if (word !== 'changed') for (const listener of this.#waiters.get(queryId) ?? []) listener(news)
    if (word === 'stop') for (const listener of this.#stops.get(queryId) ?? []) listener()
  }

  #lookAgain(): void {
    this.#callAll()
    if (this.#subscriber.status === 'ready') this.#subscriber.ping().catch(() => undefined)
  }

  #callAll(): void {
    for (const map of [this.#listeners, this.#waiters]) for (const listeners of map.values()) for (const listener of listeners) listener()
  }
}

function addTo(map: Map<string, Set<WakeListener>>, queryId: string, listener: WakeListener): () => void {
  const listeners = map.get(queryId) ?? new Set()
  listeners.add(listener)
  map.set(queryId, listeners)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0 && map.get(queryId) === listeners) map.delete(queryId)
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

/** Takes a new subscription, where the process has one. */
export function renewWakes(house: House): void {
  if (!ending.has(house)) opened.get(house)?.renew()
}

const ending = new WeakSet<House>()

/** Ends the subscription of a process, where it has one; whoever waits for a query is told that there is no time left. */
export function closeWakes(house: House): void {
  ending.add(house)
  opened.get(house)?.close()
}

/** Whether a process has no time left to wait for queries. */
export const isEnding = (house: House): boolean => ending.has(house)
