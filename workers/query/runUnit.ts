import { setMaxListeners } from 'node:events'
import { Problem } from '../../src/platform/errors.ts'
import { isUnavailable } from '../../src/platform/prisma/failures.ts'
import type { Batch } from '../../src/query/rows.ts'
import { maxClaims } from '../../src/services/sirp/engine/bounds.ts'
import { governorOf } from '../../src/services/gonogo/governorOf.ts'
import { findCachedCommands } from '../../src/services/sirp/engine/cachedCommands.ts'
import { encodeRows } from '../../src/services/sirp/engine/chunks.ts'
import { showWaiting } from '../../src/services/sirp/engine/delays.ts'
import { endQuery } from '../../src/services/sirp/engine/ends.ts'
import { LostQuery } from '../../src/services/sirp/engine/passes.ts'
import { claimUnit, failUnit, finishUnit, giveBackUnit, writeUnitChunks, type ClaimedUnit, type CommandWrite, type UnitKey, type WaitingRows } from '../../src/services/sirp/engine/units.ts'
import type { JobFacts } from '../../src/queues/processor.ts'
import { shutdownReason } from '../lib/drain.ts'
import { Gate, type Browsing, type Engine } from './engine.ts'
import { Stopped } from './leases.ts'
import { MustWait } from './mustWait.ts'
import { openOutside } from './outside/open.ts'
import { PolicyGate, type ClosedDomains } from './outside/policyGate.ts'
import type { UsedSecrets } from './outside/secrets.ts'
import { runRow, shaper, type RowOutcome } from './rowRun.ts'
import { StageCommits } from './stageCommits.ts'
import { chunksOf } from './unitChunks.ts'
import { untilWritten } from './untilWritten.ts'
import { openUnit, type RowCall, type UnitWork } from './unitWork.ts'

/** Chunks that one statement stores. */
const chunksAtOnce = 16
/** Rows of one run that are worth keeping for another query. */
const cachedBytes = 2 ** 20

/** Runs an expanding command for some input rows of its stage. */
export function unitProcessor(engine: Engine) {
  return async (key: UnitKey, { signal, log }: JobFacts): Promise<void> => {
    const unit = await claimUnit(engine.house, key)
    if (!unit) return
    const lease = engine.leases.hold({ queryId: unit.queryId, fence: unit.fence, unit: { stage: unit.stage, firstRow: unit.firstRow } })
    try {
      await run(engine, unit, AbortSignal.any([signal, lease.signal]))
    } catch (error) {
      const failure = signal.aborted && signal.reason === shutdownReason ? signal.reason : lease.signal.aborted ? (lease.signal.reason as unknown) : error
      await settleFailure(engine, unit, failure, (err) => log.error({ err }, 'a command failed for a reason nobody thought of'))
    } finally {
      lease.release()
    }
  }
}

/** How one row of a unit ended: with an outcome, or having to wait. */
type Ended = { readonly call: RowCall; readonly bytes: number } & ({ readonly outcome: RowOutcome; readonly cached: boolean } | { readonly wait: MustWait })

async function run(engine: Engine, unit: ClaimedUnit, signal: AbortSignal): Promise<void> {
  if (unit.claims > maxClaims) throw new Problem('poison', `A command ended the process of its worker ${maxClaims} times, and is not tried again.`)
  const work = await openUnit(engine, unit)
  const calls = work.rows.map((row, offset) => work.callFor(row, offset))
  const cached = await findCachedCommands(engine.house, unit.scheduled ? [] : calls.flatMap(({ key }) => key ?? []))
  const browsing = engine.openBrowsing?.()
  const shared = { closed: new Map(), secrets: work.secrets, browsing, lane: browsing ? new Gate(1) : engine.fetches }
  const failing = new AbortController() // the first failure that fails the query ends the others too
  const stopping = AbortSignal.any([signal, failing.signal])
  setMaxListeners(0, stopping) // each row of the unit listens
  const ended = await Promise.all(calls.map((call) => endOf(engine, work, call, { ...shared, cached, failing, signal: stopping }))).finally(() => browsing?.close())
  signal.throwIfAborted()
  const over = ended.filter((end) => end !== null)
  const failed = over.find((end) => 'outcome' in end && 'error' in end.outcome.end && onErrorOf(work) === 'fail')
  if (failed && 'outcome' in failed && 'error' in failed.outcome.end) return fail(engine, work, over, failed.outcome.end.error)
  await finish(engine, work, over, signal)
}

/** What the rows of a unit share. */
interface Together {
  /** Domains that let nobody through now. */
  readonly closed: ClosedDomains
  readonly secrets: UsedSecrets
  readonly browsing: Browsing | undefined
  /** How many of them run at once: those that share a browser one by one. */
  readonly lane: Gate
  readonly cached: ReadonlyMap<string, Batch>
  readonly signal: AbortSignal
  /** Aborted by the first failure that fails the query. */
  readonly failing: AbortController
}

/** Runs one row; null where another row's failure came first. */
async function endOf(engine: Engine, work: UnitWork, call: RowCall, together: Together): Promise<Ended | null> {
  const { cached, failing, signal, lane } = together
  const kept = call.key === null ? undefined : cached.get(call.key)
  if (kept) return { call, bytes: 0, outcome: { end: { rows: kept }, attempts: 0, ms: 0 }, cached: true }
  return lane.pass(async () => {
    if (signal.aborted) return null
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

async function runCall({ house, transport }: Engine, work: UnitWork, call: RowCall, { closed, secrets, browsing, signal }: Together): Promise<Ended> {
  const { queryId, apiKeyId, requestId, stage } = work.unit
  let bytes = 0
  const gate = new PolicyGate(governorOf(house), `${queryId}-${stage}-${call.index}`, closed)
  const { runMs = browsing ? house.env.browserJobMs : house.env.fetchTimeoutMs } = work.stage.command
  const timeoutMs = Number(work.stage.flags['timeout'] ?? runMs)
  const asked = openOutside(house, transport, { queryId, apiKeyId, requestId, commits: new StageCommits(), gate, secrets, received: (count) => (bytes += count) })
  const outside = browsing ? { ...asked, browse: browsing.with(gate, timeoutMs) } : asked
  try {
    const outcome = await runRow(work, call, { outside, signal, timeoutMs })
    return { call, bytes, outcome, cached: false }
  } catch (error) {
    if (error instanceof MustWait) return { call, bytes, wait: error }
    throw error
  }
}

async function finish({ house }: Engine, work: UnitWork, ended: readonly Ended[], signal: AbortSignal): Promise<void> {
  const through = ended.filter((end) => 'outcome' in end)
  const made = through.map(({ call, outcome }) => ({ index: call.index, rows: rowsOf(work, call, outcome) }))
  const fresh = through.flatMap(({ call, outcome, cached }) => (!cached && call.key !== null && 'rows' in outcome.end ? [{ key: call.key, rows: work.hideSecrets(outcome.end.rows) }] : []))
  const unlike = [...new Map(fresh.map((each) => [each.key, each])).values()]
  const waiting = waitingOf(ended)
  const chunks = await chunksOf(work.unit.setId, made)
  for (; chunks.length > chunksAtOnce; ) await writeUnitChunks(house, work.unit, chunks.splice(0, chunksAtOnce))
  const end = {
    chunks,
    commands: through.map((end, at) => recordOf(work, end, made[at]?.rows.length ?? 0)),
    waiting,
    cache: (await Promise.all(unlike.map(async ({ key, rows }) => ({ key, rowCount: rows.length, data: await encodeRows(rows) })))).filter(({ data }) => data.length <= cachedBytes),
    cacheTtlS: house.env.cacheTtlS,
  }
  await untilWritten(signal, () => finishUnit(house, work.unit, end))
  const [first] = waiting
  if (first || work.unit.waited) await showWaiting(house, work.unit.queryId, first?.waiting ?? null)
}

async function fail({ house }: Engine, work: UnitWork, ended: readonly Ended[], error: Problem): Promise<void> {
  const records = ended.filter((end) => 'outcome' in end).map((end) => recordOf(work, end, 0))
  await failUnit(house, work.unit, records, { code: error.code, detail: work.secrets.hide(error.message), stage: work.unit.stage })
}

const onErrorOf = ({ stage }: UnitWork): string => String(stage.flags['onError'] ?? 'fail')

/** The rows that one input row gives to the stage. */
function rowsOf(work: UnitWork, { row }: RowCall, { end }: RowOutcome): Batch {
  if ('rows' in end) return work.hideSecrets(end.rows).map(shaper(work, row))
  return onErrorOf(work) === 'keep' ? [{ ...row, _error: work.secrets.hide(end.error.message) }] : []
}

function recordOf(work: UnitWork, { call, bytes, outcome, cached }: Extract<Ended, { outcome: RowOutcome }>, rows: number): CommandWrite {
  const error = 'error' in outcome.end ? outcome.end.error : null
  const status = error === null ? 'completed' : onErrorOf(work) === 'skip' ? 'skipped' : 'failed'
  const shot = 'rows' in outcome.end ? outcome.end.rows[0]?.['_screenshot.hash'] : undefined
  return {
    index: call.index,
    command: work.stage.command.name,
    args: call.args,
    flags: call.flags,
    status,
    attempts: outcome.attempts,
    rows,
    bytes,
    ms: outcome.ms,
    cached,
    warnings: [...new Set(call.warnings)].slice(0, 20),
    error: error && { code: error.code, detail: work.secrets.hide(error.message), stage: work.unit.stage },
    screenshot: typeof shot === 'string' ? shot : null,
  }
}

/** Neighbouring rows that wait for the same domain stay together; they come back when the first of them may go. */
function waitingOf(ended: readonly Ended[]): WaitingRows[] {
  const waiting: WaitingRows[] = []
  for (const end of ended) {
    if (!('wait' in end)) continue
    const { index } = end.call
    const { domain, waitMs } = end.wait
    const last = waiting.at(-1)
    if (last && last.firstRow + last.rowCount === index && last.waiting?.domain === domain) {
      waiting[waiting.length - 1] = { ...last, rowCount: last.rowCount + 1, delayMs: Math.min(last.delayMs, waitMs) }
    } else {
      waiting.push({ firstRow: index, rowCount: 1, delayMs: Math.ceil(waitMs), waiting: end.wait.shown() })
    }
  }
  return waiting
}

async function settleFailure({ house }: Engine, unit: ClaimedUnit, error: unknown, tell: (err: unknown) => void): Promise<void> {
  if (error instanceof LostQuery || (error instanceof Stopped && error.reason !== 'deadline')) return
  if (error === shutdownReason) {
    await giveBackUnit(house, unit)
    throw new Error('the process ends')
  }
  if (isUnavailable(error)) throw error
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
