import { Problem } from '../../src/platform/errors.ts'
import { isUnavailable } from '../../src/platform/prisma/failures.ts'
import { inSpan, type SpanStart } from '../../src/platform/tracing.ts'
import { fansOut, segmentsOf, type Segment } from '../../src/query/segments.ts'
import type { JobFacts } from '../../src/queues/processor.ts'
import { maxClaims } from '../../src/services/sirp/engine/bounds.ts'
import { claimQuery, giveBackQuery, type ClaimedQuery } from '../../src/services/sirp/engine/claims.ts'
import { delayQuery } from '../../src/services/sirp/engine/delays.ts'
import { endQuery } from '../../src/services/sirp/engine/ends.ts'
import { recordFailedCommand } from '../../src/services/sirp/engine/failedCommand.ts'
import { LostQuery } from '../../src/services/sirp/engine/passes.ts'
import { streamRows } from '../../src/services/sirp/engine/rowPages.ts'
import { completeQuery, storedStages } from '../../src/services/sirp/engine/settle.ts'
import type { ClaimedUnit } from '../../src/services/sirp/engine/units.ts'
import { summarize, summarizeStage } from '../../src/services/sirp/engine/summarize.ts'
import { shutdownReason } from '../lib/drain.ts'
import { withoutBlame } from '../lib/withoutBlame.ts'
import type { Engine } from './engine.ts'
import { Stopped } from './leases.ts'
import { MustWait } from './mustWait.ts'
import type { PlannedStage } from './passWriter.ts'
import { openWork, type QueryWork } from './queryWork.ts'
import { runByJobs } from './stageJobs.ts'
import { passStages } from './stagePass.ts'
import { runTemplateStage } from './stageTemplate.ts'
import { useCache } from './useCache.ts'

/**
 * Takes a query on from where it stands, up to a stage that needs jobs of its own, or to its end. Answers the first unit of that
 * stage where it is for this job itself.
 */
export async function runQuery(engine: Engine, queryId: string, { signal, log }: Pick<JobFacts, 'signal' | 'log'>): Promise<ClaimedUnit | null> {
  const claimed = await claimQuery(engine.house, queryId)
  if (!claimed) return null
  const lease = engine.leases.hold({ queryId, fence: claimed.fence }, signal)
  const run = new QueryRun(engine, claimed, lease.signal)
  try {
    await run.go()
    return run.ownUnit
  } catch (error) {
    const failure = lease.signal.aborted ? (lease.signal.reason as unknown) : error
    await settleFailure(engine, claimed, failure, run, (err) => log.error({ err }, 'a query failed for a reason nobody thought of'))
    return null
  } finally {
    lease.release()
  }
}

class QueryRun {
  readonly #engine: Engine
  readonly #claimed: ClaimedQuery
  readonly #signal: AbortSignal
  #work: QueryWork | undefined

  constructor(engine: Engine, claimed: ClaimedQuery, signal: AbortSignal) {
    this.#engine = engine
    this.#claimed = claimed
    this.#signal = signal
  }

  /** The stage at work. */
  get stage(): number {
    return this.#work?.stage ?? 0
  }

  /** The unit of the stage just handed over that is for this job. */
  get ownUnit(): ClaimedUnit | null {
    return this.#work?.ownUnit ?? null
  }

  /** The run at work, where its stage has no jobs that write records of their own. */
  get failedRun(): PlannedStage | null {
    return this.#work && !fansOut(this.#work.at(this.stage)) ? this.#work.planned(this.stage) : null
  }

  /** A text without the secrets that were used. */
  hide(text: string): string {
    return this.#work?.secrets.hide(text) ?? text
  }

  async go(): Promise<void> {
    if (this.#claimed.claims > maxClaims) {
      throw new Problem('poison', `The query ended the process of its worker ${maxClaims} times without any progress, and is not tried again.`)
    }
    const work = await openWork(this.#engine, this.#claimed, this.#signal)
    this.#work = work
    if (this.#claimed.stages.length === 0 && (await useCache(work))) return
    for (const segment of segmentsOf(work.stages)) {
      const from = firstOpen(work, segment)
      if (from === undefined) continue
      work.stage = from
      if (!(await runSegment(work, { ...segment, from }))) return
    }
    await complete(work)
  }
}

function firstOpen({ done }: QueryWork, { from, to }: Segment): number | undefined {
  for (let stage = from; stage < to; stage += 1) if (!done.has(stage)) return stage
  return undefined
}

/** Answers whether the query goes on in this job. */
function runSegment(work: QueryWork, segment: Segment): Promise<boolean> {
  const begin = (): SpanStart => ({ facts: { 'quern.stage': segment.from, 'quern.stages': segment.to - segment.from, 'quern.commands': commandsOf(work, segment) }, isHarmless })
  return inSpan(`stage ${segment.from}`, begin, () => runStages(work, segment))
}

const commandsOf = (work: QueryWork, { from, to }: Segment): string => work.stages.slice(from, to).map(({ command }) => command.name).join(' ')

/** Somebody else goes on with the query, or it goes on later. */
const isHarmless = (error: unknown): boolean => error instanceof LostQuery || error instanceof MustWait || error instanceof Stopped

async function runStages(work: QueryWork, segment: Segment): Promise<boolean> {
  if (segment.runs === 'pass') return !(await passStages(work, segment))
  return segment.runs === 'jobs' ? runByJobs(work, segment.from) : runTemplateStage(work, segment.from)
}

async function complete(work: QueryWork): Promise<void> {
  const { rowSet = null, rows = 0 } = work.done.get(work.last) ?? {}
  const summary = work.claimed.summary && rowSet !== null ? await summaryOf(work, rowSet) : undefined
  await completeQuery(work.engine.house, work.claimed, { resultSet: rowSet, rows, dropBefore: work.keepsOnlyLast ? work.last : 0, summary })
}

async function summaryOf({ engine: { house }, claimed }: QueryWork, rowSet: string): Promise<unknown> {
  const stages = await storedStages(house, claimed.id)
  return summarize(streamRows(house.pool, rowSet), stages.map(summarizeStage))
}

/** Decides what a failure means: an end of the query, or another try by somebody else. */
async function settleFailure({ house }: Engine, claimed: ClaimedQuery, error: unknown, run: QueryRun, tell: (err: unknown) => void): Promise<void> {
  if (error instanceof LostQuery || (error instanceof Stopped && error.reason === 'lost')) return
  if (error === shutdownReason) {
    await giveBackQuery(house, claimed)
    throw new Error('the process ends')
  }
  if (isUnavailable(error)) {
    await withoutBlame(() => giveBackQuery(house, claimed))
    throw error
  }
  if (error instanceof MustWait) return delayQuery(house, claimed, error.waitMs, error.shown())
  const { stage } = run
  const by = { fence: claimed.fence }
  if (error instanceof Stopped && error.reason === 'deadline') {
    await endQuery(house, claimed.id, 'expired', { code: 'deadline_exceeded', detail: 'The query took longer than its minutes allow.', stage }, by)
  } else if (error instanceof Problem) {
    const failure = { code: error.code, detail: run.hide(error.message), stage }
    if (run.failedRun) await recordFailedCommand(house, claimed, run.failedRun, failure)
    await endQuery(house, claimed.id, 'failed', failure, by)
  } else {
    tell(error)
    await endQuery(house, claimed.id, 'failed', { code: 'internal', detail: 'Something went wrong on our side; the log of the worker says what.', stage }, by)
  }
}
