import { Problem } from '../../src/platform/errors.ts'
import { isUnavailable } from '../../src/platform/prisma/failures.ts'
import type { JobFacts } from '../../src/queues/processor.ts'
import { maxClaims } from '../../src/services/sirp/engine/bounds.ts'
import { endQuery } from '../../src/services/sirp/engine/ends.ts'
import { LostQuery } from '../../src/services/sirp/engine/passes.ts'
import { giveBackUnit, type ClaimedUnit } from '../../src/services/sirp/engine/units.ts'
import { shutdownReason } from '../lib/drain.ts'
import { withoutBlame } from '../lib/withoutBlame.ts'
import type { Engine } from './engine.ts'
import { Stopped } from './leases.ts'
import { runUnitRows } from './unitRows.ts'
import { openUnit } from './unitWork.ts'
import { UnitWriter } from './unitWriter.ts'

/** Runs an expanding command for some input rows of its stage. Answers whether the query may be this job's to go on with. */
export async function runUnit(engine: Engine, unit: ClaimedUnit, { signal, log, isEnding }: JobFacts): Promise<boolean> {
  const goesOn = await engine.parking.underJob(signal, log, (stopping, park) => runClaimed(engine, unit, { signal: stopping, log, park, isEnding }))
  return goesOn ?? false
}

/** Until when a unit may run, and whom it tells what. */
interface Running extends Pick<JobFacts, 'signal' | 'log' | 'isEnding'> {
  /** Called when all that it does is wait. */
  readonly park: () => void
}

async function runClaimed(engine: Engine, unit: ClaimedUnit, { signal, log, park, isEnding }: Running): Promise<boolean> {
  const lease = engine.leases.hold({ queryId: unit.queryId, fence: unit.fence, unit: { stage: unit.stage, firstRow: unit.firstRow } }, signal)
  let isUnderJob = true
  const leaveJob = (): void => {
    isUnderJob = false
    park()
  }
  try {
    // Only a process that drives queries, and is not about to end, goes on with one, and only under a job.
    return await run(engine, unit, { signal: lease.signal, park: leaveJob, goesOn: () => isUnderJob && engine.openBrowsing === undefined && !isEnding() })
  } catch (error) {
    const failure = lease.signal.aborted ? (lease.signal.reason as unknown) : error
    const left = { ...unit, hasJob: unit.hasJob && isUnderJob }
    await settleFailure(engine, left, failure, (err) => log.error({ err }, 'a command failed for a reason nobody thought of'))
    return error instanceof LostQuery && isUnderJob // its end may have been written without an answer
  } finally {
    lease.release()
  }
}

async function run(engine: Engine, unit: ClaimedUnit, { signal, park, goesOn }: { signal: AbortSignal; park: () => void; goesOn: () => boolean }): Promise<boolean> {
  if (unit.claims > maxClaims) throw new Problem('poison', `A command ended the process of its worker ${maxClaims} times, and is not tried again.`)
  const work = await openUnit(engine, unit)
  const writer = new UnitWriter(engine.house, work, signal)
  const rest = await runUnitRows(engine, work, { signal, park, tell: (end) => writer.take(end) })
  signal.throwIfAborted()
  const { failure } = writer
  if (!failure) return writer.finish(rest, goesOn())
  await writer.fail(failure)
  return false
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
