import type { Batch, Row } from '../../src/query/rows.ts'
import type { House } from '../../src/services/house.ts'
import { encodeRows } from '../../src/services/sirp/engine/chunks.ts'
import { encodeRecords, type CommandRecord } from '../../src/services/sirp/engine/commandRecords.ts'
import type { UnitCounts, UnitPart, UnitRecords, WaitingRows } from '../../src/services/sirp/engine/unitWrites.ts'
import { keepFlights } from './rowFlights.ts'
import { shaper } from './rowRun.ts'
import { chunksOf } from './unitChunks.ts'
import type { LaterRow, RanRow } from './ranRow.ts'
import { onErrorOf, type UnitWork } from './unitWork.ts'

/** Rows of one run that are worth keeping for another query. */
const cachedBytes = 2 ** 20

/** What is to be written of rows that have ended, in their order, and what they count for. */
export async function partOf(house: House, work: UnitWork, ended: readonly RanRow[]): Promise<{ part: UnitPart; counts: UnitCounts }> {
  const shape = shaper(work)
  const made = ended.map((end) => ({ index: end.call.index, rows: rowsOf(work, end, shape) }))
  const [chunks, cache, recorded] = await Promise.all([chunksOf(work.unit.setId, made), freshRows(work, ended), recordsOf(house, work, ended, (at) => made[at]?.rows.length ?? 0)])
  return { part: { chunks, records: recorded.records, cache, cacheTtlS: house.env.cacheTtlS }, counts: recorded.counts }
}

/** The records of runs, and what they count for; nothing is made of the rows of a unit that fails. */
export async function recordsOf(house: House, work: UnitWork, ended: readonly RanRow[], made: (at: number) => number = () => 0): Promise<{ records: UnitRecords; counts: UnitCounts }> {
  const flown = await keepFlights(house, work, ended)
  const records = ended.map((end, at) => recordOf(work, end, made(at), flown))
  const pictures = records.flatMap(({ index, screenshot: hash }) => (hash === null ? [] : [{ index, hash }]))
  return { records: { command: work.stage.command.name, chunks: await encodeRecords(records), pictures }, counts: countsOf(records) }
}

function countsOf(records: readonly CommandRecord[]): UnitCounts {
  const sum = { ...noCounts }
  for (const { rows, bytes, cached, attempts, status } of records) {
    sum.rows += rows
    sum.bytes += bytes
    sum.cacheHits += cached ? 1 : 0
    sum.retries += Math.max(0, attempts - 1)
    sum[status] += 1
  }
  return sum
}

/** What two parts of a unit add to the counts of their stage. */
export function addCounts(some: UnitCounts, more: UnitCounts): UnitCounts {
  return {
    rows: some.rows + more.rows,
    bytes: some.bytes + more.bytes,
    cacheHits: some.cacheHits + more.cacheHits,
    retries: some.retries + more.retries,
    completed: some.completed + more.completed,
    failed: some.failed + more.failed,
    skipped: some.skipped + more.skipped,
  }
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
  return onErrorOf(work) === 'keep' ? [{ ...shape(row, row), _error: work.secrets.hide(end.error.message) }] : []
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

function recordOf(work: UnitWork, { call, bytes, outcome, cached }: RanRow, rows: number, flown: ReadonlySet<number>): CommandRecord {
  const error = 'error' in outcome.end ? outcome.end.error : null
  const status = error === null ? 'completed' : onErrorOf(work) === 'skip' ? 'skipped' : 'failed'
  const shot = 'rows' in outcome.end ? outcome.end.rows[0]?.['_screenshot.hash'] : undefined
  return {
    index: call.index,
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
