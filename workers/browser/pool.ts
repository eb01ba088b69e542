import { parseProxy } from '../../src/platform/egress/routes.ts'
import { Problem } from '../../src/platform/errors.ts'
import { keepSpan } from '../../src/platform/tracing.ts'
import { findBinary } from './binary.ts'
import { openEgressProxy, type EgressProxy } from './egressProxy.ts'
import { JobClock } from './jobClock.ts'
import { Keeper } from './keeper.ts'
import { usualScratchDir } from './launch.ts'
import { PacRoutes } from './pacRoutes.ts'
import type { Way } from './passage.ts'
import { describeHouses, groupMemory, RecentErrors, type PoolDetails } from './poolDetails.ts'
import { untouchedBytes, usualRecycle, type PoolOptions } from './poolOptions.ts'
import { race } from './race.ts'
import { Slots } from './slots.ts'
import { sweep } from './sweep.ts'
import type { Room, Visit } from './visit.ts'
import { toJobError } from './workErrors.ts'

/** What a job needs. */
export interface Need {
  /** From the call to the end, waiting included. */
  readonly deadlineMs: number
  readonly signal: AbortSignal
  /** URI of the user's own proxy. */
  readonly proxy?: string | undefined
  /** A whole browser instead of the headless shell, where one is installed. */
  readonly full?: boolean | undefined
  /** A page that can connect to nothing. */
  readonly offline?: boolean | undefined
  /** Called where the work failed, while its page is still there; it must end by itself, and soon. */
  readonly failed?: ((error: unknown) => Promise<void>) | undefined
}

/** The browsers of a process. */
export interface Pool {
  /**
   * Runs work in a fresh context, which is closed afterwards. Settles by the deadline at the latest: with what the work answers or throws,
   * with `job_timeout`, with the caller's reason, or with `target_failed` when the tab or the browser is gone.
   */
  use<T>(need: Need, work: (visit: Visit) => Promise<T>): Promise<T>
  details(): PoolDetails
  close(): Promise<void>
}

interface Settle<T> {
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

const jobsPerBrowser = 8

/** Opens the browsers of this process, which start in the background. */
export function openPool(options: PoolOptions): Pool {
  return new BrowserPool(options)
}

class BrowserPool implements Pool {
  readonly #options: PoolOptions
  readonly #proxy: EgressProxy
  readonly #pacRoutes: PacRoutes
  readonly #slots: Slots
  readonly #keepers: Keeper[]
  readonly #errors = new RecentErrors()
  readonly #timers: readonly NodeJS.Timeout[]
  readonly #closing = new AbortController()
  #whole: Keeper | undefined
  #done = 0
  #failed = 0

  constructor(options: PoolOptions) {
    const { guard, onConnect, connectTimeoutMs, concurrency, sweepEveryMs = 60_000, inspectEveryMs = 5_000 } = options
    const { browsers = Math.ceil(concurrency / jobsPerBrowser), spares = Math.min(2, concurrency) } = options
    this.#options = options
    this.#proxy = openEgressProxy({ guard, onConnect, connectTimeoutMs })
    this.#pacRoutes = new PacRoutes(guard)
    this.#slots = new Slots(concurrency)
    this.#keepers = Array.from({ length: browsers }, () => this.#openKeeper(spares))
    this.#timers = [setInterval(() => void this.#sweep(), sweepEveryMs).unref(), setInterval(() => this.#inspect(), inspectEveryMs).unref()]
    void this.#sweep()
  }

  async use<T>(need: Need, work: (visit: Visit) => Promise<T>): Promise<T> {
    const way = this.#wayOf(need)
    const clock = new JobClock(need.deadlineMs, need.signal)
    clock.watch(this.#closing.signal, closedProblem)
    try {
      const ended = new Promise<T>((resolve, reject) => this.#slots.run(() => this.#perform(clock, need, way, keepSpan(work), { resolve, reject })))
      const result = await race(clock.signal, ended)
      this.#done += 1
      return result
    } catch (error) {
      this.#failed += 1
      throw error
    } finally {
      clock.stop()
    }
  }

  details(): PoolDetails {
    const browsers = describeHouses(this.#allKeepers().flatMap(({ houses }) => houses))
    const { running, waiting } = this.#slots.counts
    return {
      concurrency: this.#options.concurrency,
      active: running,
      waiting,
      done: this.#done,
      failed: this.#failed,
      sandbox: this.#options.noSandbox !== true,
      browsers,
      lastErrors: this.#errors.list,
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all([this.#slots.close(), this.#pacRoutes.close(), ...this.#allKeepers().map((keeper) => keeper.close())])
    this.#proxy.close()
  }

  /** One job in its slot. The caller has its answer before the context is closed; the slot is held until then. */
  async #perform<T>(clock: JobClock, need: Need, way: Way, work: (visit: Visit) => Promise<T>, { resolve, reject }: Settle<T>): Promise<void> {
    if (clock.signal.aborted) return
    try {
      const keeper = await this.#keeperFor(need)
      const { room, house } = await keeper.enter(clock.signal)
      await stay(clock, room, way, work).then(resolve, async (error: unknown) => {
        await need.failed?.(error).catch((err: unknown) => this.#note(err))
        reject(error)
      })
      await house.leave(room)
    } catch (error) {
      reject(error)
    }
  }

  async #keeperFor({ full }: Need): Promise<Keeper> {
    if (full && !(await findBinary(this.#options.chromePath, true)).shell) return (this.#whole ??= this.#openKeeper(0, true))
    return this.#keepers.reduce((least, keeper) => (keeper.load < least.load ? keeper : least))
  }

  #openKeeper(spares: number, whole = false): Keeper {
    const { chromePath, scratchDir, noSandbox = false, launchTimeoutMs = 20_000, patienceMs = 5_000 } = this.#options
    const recycle = { ...usualRecycle, ...this.#options.recycle }
    return new Keeper({
      launch: { chromePath, scratchDir, noSandbox, launchTimeoutMs, whole, processBytes: recycle.memoryBytes + untouchedBytes },
      proxy: this.#proxy,
      recycle,
      spares,
      patienceMs,
      onError: (err) => this.#note(err),
    })
  }

  #wayOf({ proxy, offline, signal }: Need): Way {
    if (proxy === undefined) return { offline }
    const upstream = parseProxy(proxy)
    if ('routes' in upstream) return { offline, routes: () => Promise.resolve(upstream.routes) }
    return { offline, routes: (url) => this.#pacRoutes.ask(upstream.pac, url, signal) }
  }

  #allKeepers(): Keeper[] {
    return [...this.#keepers, ...(this.#whole ? [this.#whole] : [])]
  }

  #inspect(): void {
    const memory = groupMemory()
    for (const keeper of this.#allKeepers()) keeper.inspect(memory)
  }

  async #sweep(): Promise<void> {
    try {
      const { scratchDir = usualScratchDir, otherScratchDirs = [] } = this.#options
      const { groups } = await sweep(scratchDir, ...otherScratchDirs)
      if (groups > 0) this.#options.log.warn({ count: groups }, 'ended browsers whose owner is gone')
    } catch (err) {
      this.#note(err)
    }
  }

  #note(err: unknown): void {
    this.#errors.add(err)
    this.#options.log.warn({ err }, 'the browser pool reports an error')
  }
}

/** Runs the work in its room, until it ends or must end. */
async function stay<T>(clock: JobClock, room: Room, way: Way, work: (visit: Visit) => Promise<T>): Promise<T> {
  const { context, page, passage: { passage }, broken } = room
  passage.follow(way)
  clock.watch(broken.signal, () => broken.signal.reason as Error) // rooms break with problems only
  try {
    return await race(clock.signal, (async () => work({ context, page, signal: clock.signal, egress: passage }))())
  } catch (error) {
    throw await toJobError(error, room)
  }
}

const closedProblem = (): Problem => new Problem('unavailable', 'The browsers of this process are closed.')
