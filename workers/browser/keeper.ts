import { pause } from '../../src/platform/clock.ts'
import { Problem } from '../../src/platform/errors.ts'
import type { EgressProxy } from './egressProxy.ts'
import { House } from './house.ts'
import type { LaunchOptions } from './launch.ts'
import { race } from './race.ts'
import type { Room } from './visit.ts'

/** When a browser makes room for a new one. */
export interface RecycleBounds {
  readonly jobs: number
  readonly minutes: number
  readonly memoryBytes: number
}

/** What a keeper works by. */
export interface KeeperOptions {
  readonly launch: LaunchOptions
  readonly proxy: EgressProxy
  readonly recycle: RecycleBounds
  /** Rooms to keep ready; with none, the browser starts with its first job. */
  readonly spares: number
  /** How long a job waits for a browser that does not start. */
  readonly patienceMs: number
  readonly onError: (error: unknown) => void
}

/** A room, and the house that it is in. */
export interface Tenancy {
  readonly room: Room
  readonly house: House
}

/** How often a running browser is asked for a page. */
const mostTries = 3

const firstPauseMs = 250
const longestPauseMs = 4_000

/** Keeps one browser running: starts it again when it ends, however often that fails, and replaces it before it grows old. */
export class Keeper {
  readonly #options: KeeperOptions
  readonly #retiring = new Set<House>()
  readonly #closed = new AbortController()
  #house: House | null = null
  #starting: Promise<void> | null = null
  #failure: Problem | null = null
  #waiters: Array<() => void> = []

  constructor(options: KeeperOptions) {
    this.#options = options
    if (options.spares > 0) this.#start()
  }

  /** Jobs in this keeper's present browser. */
  get load(): number {
    return this.#house?.used ?? 0
  }

  /** Every browser that runs, the present one first. */
  get houses(): House[] {
    return [...(this.#house ? [this.#house] : []), ...this.#retiring]
  }

  /** A room in a running browser; fails when none starts in time. */
  async enter(signal: AbortSignal): Promise<Tenancy> {
    const until = Date.now() + this.#options.patienceMs
    for (let tries = 1; ; tries += 1) {
      const house = await this.#await(signal, until)
      const entering = house.enter()
      if (house.jobs >= this.#options.recycle.jobs) this.#renew(house)
      try {
        return { room: await race(signal, entering), house }
      } catch (error) {
        entering.then((room) => house.leave(room), () => undefined)
        if (signal.aborted) throw error
        if (!house.open || tries < mostTries) continue
        throw new Problem('unavailable', 'The browser could not open a page. Try it again.', { cause: error })
      }
    }
  }

  /** Looks whether the browser is due to be replaced; `memory` tells how much it holds. */
  inspect(memory: (pid: number) => number): void {
    const house = this.#house
    if (!house) return
    const { minutes, memoryBytes } = this.#options.recycle
    if (Date.now() - house.since > minutes * 60_000 || memory(house.running.pid) > memoryBytes) this.#renew(house)
  }

  /** Ends every browser. */
  async close(): Promise<void> {
    this.#closed.abort()
    this.#wake()
    await this.#starting
    await Promise.all(this.houses.map((house) => house.close()))
  }

  /** The browser, as soon as there is one. */
  async #await(signal: AbortSignal, until: number): Promise<House> {
    while (!this.#house?.open) {
      if (signal.aborted) throw signal.reason as Error // pools abort with errors only
      if (this.#closed.signal.aborted) throw new Problem('unavailable', 'The browsers of this process are closed.')
      const left = until - Date.now()
      if (left <= 0) throw this.#failure ?? new Problem('unavailable', 'The browser takes too long to start.', { retryAfterS: 5 })
      this.#start()
      await this.#changeWithin(left, signal)
    }
    return this.#house
  }

  /** Starts a browser in the background, again and again until one runs. */
  #start(): void {
    this.#starting ??= this.#keepStarting().finally(() => {
      this.#starting = null
      this.#wake()
      if (this.#options.spares > 0 && !this.#house && !this.#closed.signal.aborted) this.#start()
    })
  }

  async #keepStarting(): Promise<void> {
    for (let pauseMs = firstPauseMs; !this.#closed.signal.aborted; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      if (await this.#tryStart()) return
      this.#wake()
      await pause(pauseMs, this.#closed.signal)
    }
  }

  async #tryStart(): Promise<boolean> {
    try {
      const { launch, proxy, spares } = this.#options
      const house = await House.open(launch, proxy, spares)
      const former = this.#house
      this.#house = house
      this.#failure = null
      house.running.browser.once('disconnected', () => this.#onGone(house))
      if (former) this.#retire(former)
      return true
    } catch (error) {
      this.#failure = error instanceof Problem ? error : new Problem('unavailable', 'The browser could not be started.', { cause: error })
      this.#options.onError(this.#failure)
      return false
    }
  }

  /** Puts a new browser in the place of this one, which serves until then and ends with its last job. */
  #renew(house: House): void {
    if (house !== this.#house || this.#starting || this.#closed.signal.aborted) return
    if (this.#options.spares > 0) return this.#start()
    this.#house = null
    this.#retire(house)
  }

  #retire(house: House): void {
    this.#retiring.add(house)
    house.retire().catch(this.#options.onError)
    void house.ended.then(() => this.#retiring.delete(house))
  }

  #onGone(house: House): void {
    if (this.#house !== house) return
    this.#house = null
    this.#retire(house)
    if (this.#closed.signal.aborted) return
    this.#options.onError(new Problem('target_failed', `The browser with pid ${house.running.pid} ended unexpectedly.`))
    if (this.#options.spares > 0) this.#start()
  }

  #wake(): void {
    const waiters = this.#waiters
    this.#waiters = []
    for (const wake of waiters) wake()
  }

  /** Waits until something may have changed, for this time at most. */
  async #changeWithin(ms: number, signal: AbortSignal): Promise<void> {
    const changed = new AbortController()
    this.#waiters.push(() => changed.abort())
    const onAbort = (): void => changed.abort()
    signal.addEventListener('abort', onAbort, { once: true })
    await pause(ms, changed.signal)
    signal.removeEventListener('abort', onAbort)
  }
}
