import type { Batch, Row } from '../../src/query/rows.ts'
import type { House } from '../../src/services/house.ts'
import { encodeRows } from '../../src/services/sirp/engine/chunks.ts'
import type { CommandWrite, UnitCounts, UnitPart, WaitingRows } from '../../src/services/sirp/engine/unitWrites.ts'
import { keepFlights } from './rowFlights.ts'
import { shaper } from './rowRun.ts'
import { chunksOf } from './unitChunks.ts'
import type { LaterRow, RanRow } from './ranRow.ts'
import { onErrorOf, type UnitWork } from './unitWork.ts'

/** Rows of one run that are worth keeping for another query. */
const cachedBytes = 2 ** 20

/** What is to be written of rows that have ended, in their order. */
export async function partOf(house: House, work: UnitWork, ended: readonly RanRow[]): Promise<UnitPart> {
  const shape = shaper(work)
  const made = ended.map((end) => ({ index: end.call.index, rows: rowsOf(work, end, shape) }))
  const [chunks, cache, flown] = await Promise.all([chunksOf(work.unit.setId, made), freshRows(work, ended), keepFlights(house, work, ended)])
  return { chunks, commands: ended.map((end, at) => recordOf(work, end, made[at]?.rows.length ?? 0, flown)), cache, cacheTtlS: house.env.cacheTtlS }
}

/** The records of runs whose rows are not kept. */
export async function recordsOf(house: House, work: UnitWork, ended: readonly RanRow[]): Promise<CommandWrite[]> {
  const flown = await keepFlights(house, work, ended)
  return ended.map((end) => recordOf(work, end, 0, flown))
}

/** What runs add to the counts of their stage. */
export function addCounts(counts: UnitCounts, commands: readonly CommandWrite[]): UnitCounts {
  const sum = { ...counts }
  for (const { rows, bytes, cached, attempts, status } of commands) {
    sum.rows += rows
    sum.bytes += bytes
    sum.cacheHits += cached ? 1 : 0
    sum.retries += Math.max(0, attempts - 1)
    sum[status] += 1
  }
  return sum
}

export const noCounts: UnitCounts = { rows: 0, bytes: 0, cacheHits: 0, retries: 0, completed: 0, failed: 0, skipped: 0 }

/** Neighbouring rows that wait for the same stay together; they come back when the first of them may go. */
export function waitingOf(later: readonly LaterRow[]): WaitingRows[] {
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

/** The rows that one input row gives to the stage. */
function rowsOf(work: UnitWork, { call: { row }, outcome: { end } }: RanRow, shape: (row: Row, input: Row) => Row): Batch {
  if ('rows' in end) return work.hideSecrets(end.rows).map((made) => shape(made, row))
  return onErrorOf(work) === 'keep' ? [{ ...row, _error: work.secrets.hide(end.error.message) }] : []
}

/** The rows of runs that other queries may use, each once. */
async function freshRows(work: UnitWork, ended: readonly RanRow[]): Promise<UnitPart['cache']> {
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
