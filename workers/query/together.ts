import { setMaxListeners } from 'node:events'
import { pause } from '../../src/platform/clock.ts'
import type { LightStop } from '../../src/platform/stop.ts'
import type { House } from '../../src/services/house.ts'
import { showWaiting } from '../../src/services/sirp/engine/delays.ts'
import type { Browsing, Engine } from './engine.ts'
import { Gate, type Place } from './gate.ts'
import type { MustWait } from './mustWait.ts'
import type { ClosedDomains } from './outside/policyGate.ts'

/** After so long, or with so much in its hands, a unit begins no more rows: what it has is written, and the rest is a unit of its own. */
const mostMs = 2_000
const mostBytes = 32 * 2 ** 20

/** Units that this process has begun: each comes behind those before it. */
let begun = 0

/** What the rows of a unit share. */
export class Together {
  /** Domains that let nobody through now. */
  readonly closed: ClosedDomains = new Map()
  readonly browsing: Browsing | undefined
  /** How many of them run at once: those that share a browser one by one. */
  readonly lane: Gate
  /** Aborted by the first failure that fails the query, which ends the others too. */
  readonly failing = new AbortController()
  readonly signal: AbortSignal
  /** The runs under way; they end when the signal does. */
  readonly running = new Set<LightStop>()
  waited = false
  readonly #house: House
  readonly #place: Place
  readonly #park: () => void
  #underWay = 0
  #resting = 0
  #startedAt: number | undefined
  #bytes = 0

  /** `park` is called when all rows under way do nothing but wait. */
  constructor(engine: Engine, queryId: string, signal: AbortSignal, park: () => void) {
    this.#house = engine.house
    this.#place = { party: queryId, rank: (begun += 1) }
    this.#park = park
    this.browsing = engine.openBrowsing?.()
    this.lane = this.browsing ? new Gate(1) : engine.fetches
    this.signal = AbortSignal.any([signal, this.failing.signal])
    setMaxListeners(0, this.signal) // browsers and waiting rows listen
    this.signal.addEventListener('abort', this)
  }

  /** The signal was aborted. */
  handleEvent(): void {
    for (const stop of this.running) stop.abort(this.signal.reason)
  }

  /** Lets go of all that the rows had in common. */
  close(): void {
    this.browsing?.close()
    this.signal.removeEventListener('abort', this)
  }

  /** Runs one row among the others. */
  async run<Result>(row: () => Promise<Result>): Promise<Result> {
    this.#underWay += 1
    try {
      return await this.lane.pass(this.#place, row)
    } finally {
      this.#underWay -= 1
      this.#parkIfIdle()
    }
  }

  /** Takes note that a row begins. */
  begin(): void {
    this.#startedAt ??= performance.now()
  }

  /** Has a row wait without a place among those that work; rows that share a page keep it to themselves. */
  async rest(ms: number, signal: AbortSignal, wait?: MustWait): Promise<void> {
    if (wait) this.#show(wait)
    this.#resting += 1
    this.#parkIfIdle()
    try {
      if (this.browsing) await pause(ms, signal)
      else await this.lane.stepOut(this.#place, () => pause(ms, signal))
    } finally {
      this.#resting -= 1
    }
  }

  #parkIfIdle(): void {
    if (this.#resting > 0 && this.#resting === this.#underWay) this.#park()
  }

  #show(wait: MustWait): void {
    this.waited = true
    void showWaiting(this.#house, this.#place.party, wait.shown()).catch(() => undefined) // it is only shown
  }

  /** Takes note of bytes that came in, or were found in the cache. */
  received(bytes: number): void {
    this.#bytes += bytes
  }

  /** Whether no more rows are to begin. Those that share a page go on: the next unit would have to open one of its own. */
  isOver(): boolean {
    if (this.browsing) return false
    return this.#bytes > mostBytes || (this.#startedAt !== undefined && performance.now() - this.#startedAt > mostMs)
  }
}
