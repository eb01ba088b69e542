import type { Problem } from '../../src/platform/errors.ts'
import type { Batch, Row } from '../../src/query/rows.ts'
import { encodeRows } from '../../src/services/sirp/engine/chunks.ts'
import { showWaiting } from '../../src/services/sirp/engine/delays.ts'
import { failUnit, finishUnit, writeUnitChunks, type CommandWrite, type UnitEnd, type WaitingRows } from '../../src/services/sirp/engine/units.ts'
import type { Engine } from './engine.ts'
import { keepFlights } from './rowFlights.ts'
import { shaper } from './rowRun.ts'
import { chunksOf } from './unitChunks.ts'
import type { LaterRow, RanRow, UnitRows } from './unitRows.ts'
import { onErrorOf, type UnitWork } from './unitWork.ts'
import { untilWritten } from './untilWritten.ts'

/** Chunks that one statement stores. */
const chunksAtOnce = 16
/** Rows of one run that are worth keeping for another query. */
const cachedBytes = 2 ** 20

/** Writes what the rows of a unit came to, and hands on those that are for later. */
export async function finishUnitOf({ house }: Engine, work: UnitWork, { ended, later, waited }: UnitRows, signal: AbortSignal): Promise<void> {
  const shape = shaper(work)
  const made = ended.map((end) => ({ index: end.call.index, rows: rowsOf(work, end, shape) }))
  const waiting = waitingOf(later)
  const chunks = await chunksOf(work.unit.setId, made)
  while (chunks.length > chunksAtOnce) {
    const some = chunks.splice(0, chunksAtOnce)
    await untilWritten(signal, () => writeUnitChunks(house, work.unit, some))
  }
  const flown = await keepFlights(house, work, ended)
  const end = {
    chunks,
    commands: ended.map((end, at) => recordOf(work, end, made[at]?.rows.length ?? 0, flown)),
    waiting,
    cache: await freshRows(work, ended),
    cacheTtlS: house.env.cacheTtlS,
  }
  await untilWritten(signal, () => finishUnit(house, work.unit, end))
  const shown = waiting.find((rows) => rows.waiting)
  if (shown || waited || work.unit.waited) await showWaiting(house, work.unit.queryId, shown?.waiting ?? null)
}

/** Ends the query of a unit whose command failed. */
export async function failUnitOf({ house }: Engine, work: UnitWork, ended: readonly RanRow[], error: Problem, signal: AbortSignal): Promise<void> {
  const flown = await keepFlights(house, work, ended)
  const records = ended.map((end) => recordOf(work, end, 0, flown))
  const failure = { code: error.code, detail: work.secrets.hide(error.message), stage: work.unit.stage }
  await untilWritten(signal, () => failUnit(house, work.unit, records, failure))
}

/** The rows that one input row gives to the stage. */
function rowsOf(work: UnitWork, { call: { row }, outcome: { end } }: RanRow, shape: (row: Row, input: Row) => Row): Batch {
  if ('rows' in end) return work.hideSecrets(end.rows).map((made) => shape(made, row))
  return onErrorOf(work) === 'keep' ? [{ ...row, _error: work.secrets.hide(end.error.message) }] : []
}

/** The rows of runs that other queries may use, each once. */
async function freshRows(work: UnitWork, ended: readonly RanRow[]): Promise<UnitEnd['cache']> {
  const unlike = new Map<string, Batch>()
  for (const { call, outcome, cached } of ended) if (!cached && call.key !== null && 'rows' in outcome.end) unlike.set(call.key, work.hideSecrets(outcome.end.rows))
  const data = await Promise.all([...unlike.values()].map(async (rows) => encodeRows(rows)))
  return [...unlike].flatMap(([key, rows], at) => {
    const encoded = data[at]
    return encoded && encoded.length <= cachedBytes ? [{ key, rowCount: rows.length, data: encoded }] : []
  })
}

function recordOf(work: UnitWork, { call, bytes, outcome, cached }: RanRow, rows: number, flown: ReadonlySet<number>): CommandWrite {
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
    flight: flown.has(call.index),
  }
}

/** Neighbouring rows that wait for the same stay together; they come back when the first of them may go. */
function waitingOf(later: readonly LaterRow[]): WaitingRows[] {
  const waiting: WaitingRows[] = []
  for (const { index, wait } of later) {
    const last = waiting.at(-1)
    const waitMs = Math.ceil(wait?.waitMs ?? 0)
    if (last && last.firstRow + last.rowCount === index && last.waiting?.domain === wait?.domain) {
      waiting[waiting.length - 1] = { ...last, rowCount: last.rowCount + 1, delayMs: Math.min(last.delayMs, waitMs) }
    } else {
      waiting.push({ firstRow: index, rowCount: 1, delayMs: waitMs, waiting: wait?.shown() ?? null })
    }
  }
  return waiting
}
