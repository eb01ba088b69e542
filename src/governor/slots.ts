import Bottleneck from 'bottleneck'
import { Redis as RedisClass } from 'ioredis'
import type { Redis } from '../platform/redis.ts'
import { unsentMs } from './bounds.ts'
import type { Cap } from './caps.ts'
import { limiterId } from './keys.ts'

/**
 * The step of Bottleneck that takes a slot. Its `schedule` looks first and takes in a second step: of two processes that see the last slot,
 * the later one is left waiting in memory. This step alone decides at once, and costs a tenth of it.
 */
interface Store {
  __register__(slot: string, weight: number, expirationMs: number): Promise<{ readonly success: boolean }>
}

const mostOpen = 300
const idleMs = 10_000

interface Open {
  readonly limiter: Bottleneck
  count: number
  usedAt: number
}

/** The slots of every window of every domain; a limiter is open only while its domain is in use. */
export class Slots {
  readonly #connection: Bottleneck.IORedisConnection
  readonly #prefix: string
  /** By id, the least lately used first. */
  readonly #open = new Map<string, Open>()

  constructor(client: Redis, prefix: string) {
    this.#connection = new Bottleneck.IORedisConnection({ client, Redis: RedisClass })
    this.#prefix = prefix
  }

  /** Takes a slot in every window, or answers false; those that were taken then are for the caller to give back. */
  async take(domain: string, slot: string, caps: readonly Cap[], stale: boolean): Promise<boolean> {
    const taken = await Promise.all(caps.map((cap) => this.#takeOne(limiterId(this.#prefix, domain, cap.ms), slot, cap, stale)))
    return taken.every(Boolean)
  }

  /** How many limiters are open. */
  get open(): number {
    return this.#open.size
  }

  /** Closes the limiters that nobody has used for a while. */
  sweep(): void {
    for (const [id, { usedAt }] of this.#open) {
      if (performance.now() - usedAt < idleMs) return
      this.#close(id)
    }
  }

  close(): void {
    for (const id of this.#open.keys()) this.#close(id)
  }

  async #takeOne(id: string, slot: string, cap: Cap, stale: boolean, again = true): Promise<boolean> {
    try {
      const limiter = await this.#limiter(id, cap, stale)
      // Bottleneck's types leave its store out.
      const { _store: store } = limiter as unknown as { _store: Store }
      // oxlint-disable-next-line no-underscore-dangle -- the name that Bottleneck gives it
      return (await store.__register__(slot, 1, cap.ms + unsentMs)).success
    } catch (error) {
      this.#close(id)
      // Redis has dropped the limiter, or this client of it; Bottleneck knows how to mend that, but not the words of Redis 7 for it.
      if (again && /SETTINGS_KEY_NOT_FOUND|UNKNOWN_CLIENT/.test((error as Error).message)) return this.#takeOne(id, slot, cap, stale, false)
      throw error
    }
  }

  async #limiter(id: string, { count, ms }: Cap, stale: boolean): Promise<Bottleneck> {
    const open = this.#open.get(id) ?? { limiter: this.#make(id, count, ms), count, usedAt: 0 }
    open.usedAt = performance.now()
    this.#open.delete(id)
    this.#open.set(id, open)
    this.#dropOldest()
    await open.limiter.ready()
    if (stale || open.count !== count) {
      open.count = count
      await Promise.resolve(open.limiter.updateSettings({ maxConcurrent: count })) // a promise, although its type does not say so
    }
    return open.limiter
  }

  #make(id: string, count: number, ms: number): Bottleneck {
    return new Bottleneck({
      connection: this.#connection,
      id,
      maxConcurrent: count,
      clientTimeout: 120_000, // above the longest window: a dead process frees nothing early
      heartbeatInterval: 60_000,
      timeout: 2 * ms + 60_000, // of the keys of an idle domain
    })
  }

  #dropOldest(): void {
    const [oldest] = this.#open.keys()
    if (oldest !== undefined && this.#open.size > mostOpen * 3) this.#close(oldest)
  }

  #close(id: string): void {
    const open = this.#open.get(id)
    this.#open.delete(id)
    // A limiter that is still being opened starts its heartbeat when it is ready.
    open?.limiter.ready().then(() => open.limiter.disconnect(), () => open.limiter.disconnect())
  }
}
