import { setMaxListeners } from 'node:events'
import type { Problem } from '../../src/platform/errors.ts'
import { pause } from '../../src/platform/clock.ts'
import type { Batch } from '../../src/query/rows.ts'
import { governorOf } from '../../src/services/gonogo/governorOf.ts'
import type { House } from '../../src/services/house.ts'
import { findCachedCommands } from '../../src/services/sirp/engine/cachedCommands.ts'
import { showWaiting } from '../../src/services/sirp/engine/delays.ts'
import { Gate, type Browsing, type Engine } from './engine.ts'
import { MustWait } from './mustWait.ts'
import { openOutside } from './outside/open.ts'
import { PolicyGate, type ClosedDomains, type Rest } from './outside/policyGate.ts'
import { RowClock } from './rowClock.ts'
import { runRow, type RowOutcome } from './rowRun.ts'
import { StageCommits } from './stageCommits.ts'
import { onErrorOf, type RowCall, type UnitWork } from './unitWork.ts'

/** One row whose run came to an end. */
export interface RanRow {
  readonly call: RowCall
  readonly bytes: number
  readonly outcome: RowOutcome
  readonly cached: boolean
  /** What the page of a failed run did last. */
}

/** One row that is to run later: when a policy lets it, or (null) as soon as somebody comes to it. */
export interface LaterRow {
  readonly index: number
  readonly wait: MustWait | null
}

/** How the rows of a unit ended, in their order. */
export interface UnitRows {
  readonly ended: readonly RanRow[]
  readonly later: readonly LaterRow[]
  /** Whether the query was shown as waiting in between. */
  readonly waited: boolean
}

/** Rows that are made ready at once. */
const roundRows = 64
/** After so long, or with so much in its hands, a unit begins no more rows: what it has is written, and the rest is a unit of its own. */
const mostMs = 2_000
const mostBytes = 32 * 2 ** 20

/** Runs the rows of a unit beside each other; those that it does not come to, and those that a policy holds back, are for later. */
export async function runUnitRows(engine: Engine, work: UnitWork, signal: AbortSignal, park: () => void): Promise<UnitRows> {
  const together = new Together(engine, work.unit.queryId, signal, park)
  const ended: RanRow[] = []
  const later: LaterRow[] = []
  try {
    for (let from = 0; from < work.rows.length; from += roundRows) {
      // Where a policy holds rows back, the others are not made ready again and again while those wait.
      if (together.isOver() || later.length > 0) {
        later.push(...work.rows.slice(from).map((_, offset) => ({ index: work.unit.firstRow + from + offset, wait: null })))
        break
      }
      const calls = work.rows.slice(from, from + roundRows).map((row, offset) => work.callFor(row, from + offset))
      const cached = await findCachedCommands(engine.house, work.unit.scheduled ? [] : calls.flatMap(({ key }) => key ?? []))
      for (const end of await Promise.all(calls.map((call) => endOf(engine, work, call, cached, together)))) {
        if (end !== null && 'outcome' in end) ended.push(end)
        else if (end !== null) later.push(end)
      }
      if (together.failing.signal.aborted) break
    }
  } finally {
    together.browsing?.close()
  }
  return { ended, later, waited: together.waited }
}

/** The failure that fails the query of a unit. */
export function firstFailure(work: UnitWork, ended: readonly RanRow[]): Problem | undefined {
  if (onErrorOf(work) !== 'fail') return undefined
  for (const { outcome } of ended) if ('error' in outcome.end) return outcome.end.error
  return undefined
}

/** What the rows of a unit share. */
class Together {
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

/** Runs one row; null where another row's failure came first. */
async function endOf(engine: Engine, work: UnitWork, call: RowCall, cached: ReadonlyMap<string, Batch>, together: Together): Promise<RanRow | LaterRow | null> {
  const kept = call.key === null ? undefined : cached.get(call.key)
  if (kept) return { call, bytes: 0, outcome: { end: { rows: kept }, attempts: 0, ms: 0 }, cached: true }
  const { failing, signal } = together
  return together.run(async () => {
    if (signal.aborted) return null
    if (together.isOver()) return { index: call.index, wait: null }
    together.begin()
    try {
      const ended = await runCall(engine, work, call, together)
      if ('outcome' in ended && 'error' in ended.outcome.end && onErrorOf(work) === 'fail') failing.abort()
      return ended
    } catch (error) {
      if (failing.signal.aborted) return null
      failing.abort() // nothing of this unit is of use now
      throw error
    }
  })
}

async function runCall({ house, transport }: Engine, work: UnitWork, call: RowCall, together: Together): Promise<RanRow | LaterRow> {
  const { queryId, apiKeyId, requestId, stage } = work.unit
  const { browsing, signal, closed } = together
  let bytes = 0
  const received = (count: number): void => {
    bytes += count
    together.received(count)
  }
  const clock = new RowClock()
  const rest: Rest = (ms, stop, wait) => clock.rest(() => together.rest(ms, stop, wait))
  const gate = new PolicyGate(governorOf(house), `${queryId}-${stage}-${call.index}`, { closed, rest })
  const { runMs = browsing ? house.env.browserJobMs : house.env.fetchTimeoutMs } = work.stage.command
  const timeoutMs = Number(work.stage.flags['timeout'] ?? runMs)
  const asked = openOutside(house, transport, { queryId, apiKeyId, requestId, commits: new StageCommits(), gate, secrets: work.secrets, received, rest })
  const outside = browsing ? { ...asked, browse: browsing.with(gate, timeoutMs) } : asked
  try {
    const outcome = await runRow(work, call, { outside, signal, timeoutMs, clock })
    return { call, bytes, outcome, cached: false }
  } catch (error) {
    if (error instanceof MustWait) return { index: call.index, wait: error }
    throw error
  }
}
