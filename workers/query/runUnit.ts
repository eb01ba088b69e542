import { Problem } from '../../src/platform/errors.ts'
import { isUnavailable } from '../../src/platform/prisma/failures.ts'
import type { JobFacts } from '../../src/queues/processor.ts'
import { maxClaims } from '../../src/services/sirp/engine/bounds.ts'
import { endQuery } from '../../src/services/sirp/engine/ends.ts'
import { LostQuery } from '../../src/services/sirp/engine/passes.ts'
import { claimUnit, giveBackUnit, type ClaimedUnit, type UnitKey } from '../../src/services/sirp/engine/units.ts'
import { shutdownReason } from '../lib/drain.ts'
import { NotNow } from '../lib/notNow.ts'
import { withoutBlame } from '../lib/withoutBlame.ts'
import type { Engine } from './engine.ts'
import { Stopped } from './leases.ts'
import { countProcesses } from './shareUnits.ts'
import { runUnitRows } from './unitRows.ts'
import { openUnit } from './unitWork.ts'
import { UnitWriter } from './unitWriter.ts'

/** Runs an expanding command for some input rows of its stage. */
export function unitProcessor(engine: Engine) {
  return async (key: UnitKey, { signal, log, attempt }: JobFacts): Promise<void> => {
    if (attempt <= mostRefusals && (await hasHandsFull(engine))) throw new NotNow(refusedMs)
    const unit = await claimUnit(engine.house, key)
    if (!unit) return
    await engine.parking.underJob(signal, log, (stopping, park) => runClaimed(engine, unit, { signal: stopping, log, park }))
  }
}

/** How often a unit goes back into line because a process has its hands full, and for how long. */
const mostRefusals = 10
const refusedMs = 30

/** A process takes jobs faster than it works them off; what it can only let wait, another one may begin at once. */
async function hasHandsFull({ house, fetches, openBrowsing }: Engine): Promise<boolean> {
  return openBrowsing === undefined && fetches.isCrowded && (await countProcesses(house, 'query')) > 1
}

/** Until when a unit may run, and whom it tells what. */
interface Running extends Pick<JobFacts, 'signal' | 'log'> {
  /** Called when all that it does is wait. */
  readonly park: () => void
}

async function runClaimed(engine: Engine, unit: ClaimedUnit, { signal, log, park }: Running): Promise<void> {
  const lease = engine.leases.hold({ queryId: unit.queryId, fence: unit.fence, unit: { stage: unit.stage, firstRow: unit.firstRow } }, signal)
  try {
    await run(engine, unit, lease.signal, park)
  } catch (error) {
    const failure = lease.signal.aborted ? (lease.signal.reason as unknown) : error
    await settleFailure(engine, unit, failure, (err) => log.error({ err }, 'a command failed for a reason nobody thought of'))
  } finally {
    lease.release()
  }
}

async function run(engine: Engine, unit: ClaimedUnit, signal: AbortSignal, park: () => void): Promise<void> {
  if (unit.claims > maxClaims) throw new Problem('poison', `A command ended the process of its worker ${maxClaims} times, and is not tried again.`)
  const work = await openUnit(engine, unit)
  const writer = new UnitWriter(engine.house, work, signal)
  const rest = await runUnitRows(engine, work, { signal, park, tell: (end) => writer.take(end) })
  signal.throwIfAborted()
  const { failure } = writer
  if (failure) await writer.fail(failure)
  else await writer.finish(rest)
}

async function settleFailure({ house }: Engine, unit: ClaimedUnit, error: unknown, tell: (err: unknown) => void): Promise<void> {
  if (error instanceof LostQuery || (error instanceof Stopped && error.reason !== 'deadline')) return
  if (error === shutdownReason) {
    await giveBackUnit(house, unit)
    throw new Error('the process ends')
  }
  if (isUnavailable(error)) {
    await withoutBlame(() => giveBackUnit(house, unit))
    throw error
  }
  const { queryId, stage } = unit
  if (error instanceof Stopped) {
    await endQuery(house, queryId, 'expired', { code: 'deadline_exceeded', detail: 'The query took longer than its minutes allow.', stage }, unit)
  } else if (error instanceof Problem) {
    await endQuery(house, queryId, 'failed', { code: error.code, detail: error.message, stage }, unit)
  } else {
    tell(error)
    await endQuery(house, queryId, 'failed', { code: 'internal', detail: 'Something went wrong on our side; the log of the worker says what.', stage }, unit)
  }
}
