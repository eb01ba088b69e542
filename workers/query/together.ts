import { setMaxListeners } from 'node:events'
import { pause } from '../../src/platform/clock.ts'
import type { House } from '../../src/services/house.ts'
import { showWaiting } from '../../src/services/sirp/engine/delays.ts'
import { Gate, type Browsing, type Engine } from './engine.ts'
import type { MustWait } from './mustWait.ts'
import type { ClosedDomains } from './outside/policyGate.ts'

/** After so long, or with so much in its hands, a unit begins no more rows: what it has is written, and the rest is a unit of its own. */
const mostMs = 2_000
const mostBytes = 32 * 2 ** 20

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
  waited = false
  readonly #house: House
  readonly #queryId: string
  readonly #park: () => void
  #underWay = 0
  #resting = 0
  #startedAt: number | undefined
  #bytes = 0

  /** `park` is called when all rows under way do nothing but wait. */
  constructor(engine: Engine, queryId: string, signal: AbortSignal, park: () => void) {
    this.#house = engine.house
    this.#queryId = queryId
    this.#park = park
    this.browsing = engine.openBrowsing?.()
    this.lane = this.browsing ? new Gate(1) : engine.fetches
    this.signal = AbortSignal.any([signal, this.failing.signal])
    setMaxListeners(0, this.signal) // each row of the unit listens
  }

  /** Runs one row among the others. */
  async run<Result>(row: () => Promise<Result>): Promise<Result> {
    this.#underWay += 1
    try {
      return await this.lane.pass(row)
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
      else await this.lane.stepOut(() => pause(ms, signal))
    } finally {
      this.#resting -= 1
    }
  }

  #parkIfIdle(): void {
    if (this.#resting > 0 && this.#resting === this.#underWay) this.#park()
  }

  #show(wait: MustWait): void {
    this.waited = true
    void showWaiting(this.#house, this.#queryId, wait.shown()).catch(() => undefined) // it is only shown
  }

  received(bytes: number): void {
    this.#bytes += bytes
  }

  /** Whether no more rows are to begin. Those that share a page go on: the next unit would have to open one of its own. */
  isOver(): boolean {
    if (this.#startedAt === undefined || this.browsing) return false
    return performance.now() - this.#startedAt > mostMs || this.#bytes > mostBytes
  }
}
