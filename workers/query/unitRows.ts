import { isUnavailable } from '../../src/platform/prisma/failures.ts'
import { governorOf } from '../../src/services/gonogo/governorOf.ts'
import { findCachedCommands, type CachedRun } from '../../src/services/sirp/engine/cachedCommands.ts'
import type { Engine } from './engine.ts'
import { MustWait } from './mustWait.ts'
import { openOutside } from './outside/open.ts'
import { PolicyGate, type Rest } from './outside/policyGate.ts'
import type { LaterRow, RanRow } from './ranRow.ts'
import { RowClock } from './rowClock.ts'
import { flightOf } from './rowFlights.ts'
import { runRow } from './rowRun.ts'
import { StageCommits } from './stageCommits.ts'
import { Together } from './together.ts'
import { onErrorOf, type RowCall, type UnitWork } from './unitWork.ts'

/** What is left of a unit whose rows have run. */
export interface RestOfUnit {
  /** In their order. */
  readonly later: readonly LaterRow[]
  /** Whether the query was shown as waiting in between. */
  readonly waited: boolean
}

/** Until when a unit runs, and whom it tells what. */
export interface RunningUnit {
  readonly signal: AbortSignal
  /** Called when all that it does is wait. */
  readonly park: () => void
  /** Called for each row that has ended, as they come. */
  readonly tell: (end: RanRow) => void
}

/** Rows that are made ready first: where a policy holds some of them back, the others are not made ready again and again while those wait. */
const firstRows = 64
/** Rows that are made ready at once behind them: what the cache has for so many is read together. */
const roundRows = 128

/** Runs the rows of a unit beside each other, and tells of each that has ended; those that it does not come to, and those that a policy holds back, are for later. */
export async function runUnitRows(engine: Engine, work: UnitWork, { signal, park, tell }: RunningUnit): Promise<RestOfUnit> {
  const together = new Together(engine, work.unit.queryId, signal, park)
  const later: LaterRow[] = []
  try {
    for (let [from, to] = [0, firstRows]; from < work.rows.length; [from, to] = [to, to + roundRows]) {
      if (together.isOver() || later.length > 0) {
        later.push(...work.rows.slice(from).map((_, offset) => ({ index: work.unit.firstRow + from + offset, wait: null })))
        break
      }
      const calls = work.rows.slice(from, to).map((row, offset) => work.callFor(row, from + offset))
      const cached = await cachedFor(engine, work, calls)
      const ends = await Promise.all(calls.map((call) => endOf(engine, work, call, cached, together, tell)))
      later.push(...ends.filter((end) => end !== null))
      if (together.failing.signal.aborted) break
    }
  } finally {
    together.close()
  }
  return { later, waited: together.waited }
}

/** The rows that earlier runs have left for these calls; none while the database is away, so that what the unit has fetched so far is not lost. */
async function cachedFor({ house }: Engine, { unit }: UnitWork, calls: readonly RowCall[]): Promise<ReadonlyMap<string, CachedRun>> {
  try {
    return await findCachedCommands(house, unit.scheduled ? [] : calls.flatMap(({ key }) => key ?? []))
  } catch (error) {
    if (isUnavailable(error)) return new Map()
    throw error
  }
}

/** Runs one row, and tells of its end; answers it where it is for later, and null where it has ended or another row's failure came first. */
async function endOf(engine: Engine, work: UnitWork, call: RowCall, cached: ReadonlyMap<string, CachedRun>, together: Together, tell: RunningUnit['tell']): Promise<LaterRow | null> {
  const kept = call.key === null ? undefined : cached.get(call.key)
  if (kept) {
    together.received(kept.bytes)
    tell({ call, bytes: 0, outcome: { end: { rows: kept.rows }, attempts: 0, ms: 0 }, cached: true, flight: null })
    return null
  }
  const { failing, signal } = together
  return together.run(async () => {
    if (signal.aborted) return null
    if (together.isOver()) return { index: call.index, wait: null }
    together.begin()
    try {
      const end = await runCall(engine, work, call, together)
      if (!('outcome' in end)) return end
      tell(end)
      if ('error' in end.outcome.end && onErrorOf(work) === 'fail') failing.abort()
      return null
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
  const { timeout } = work.stage.flags
  const timeoutMs = Number(timeout ?? runMs)
  const patienceMs = timeout === undefined ? undefined : timeoutMs // who allows a minute does not want to hear of half of it
  const browse = browsing?.with(gate, timeoutMs)
  const outside = openOutside(house, transport, { queryId, apiKeyId, requestId, commits: new StageCommits(), gate, secrets: work.secrets, received, rest, browse, patienceMs })
  try {
    const outcome = await runRow(work, call, { outside, signal, running: together.running, timeoutMs, clock })
    return { call, bytes, outcome, cached: false, flight: browsing ? await flightOf(work, outcome, browsing) : null }
  } catch (error) {
    if (error instanceof MustWait) return { index: call.index, wait: error }
    throw error
  }
}
