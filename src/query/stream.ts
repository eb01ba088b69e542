import type { Batch, Row } from './rows.ts'

/** Rows that a batch holds at most; large enough that the cost of a batch does not show, small enough to stay in cache. */
export const batchRows = 1_000

/** Changes each batch by itself; batches without rows are not handed on. */
export async function* mapBatches(batches: AsyncIterable<Batch>, change: (batch: Batch) => Batch): AsyncGenerator<Batch> {
  for await (const batch of batches) {
    const changed = change(batch)
    if (changed.length > 0) yield changed
  }
}

/** Changes each row by itself. */
export function mapRows(batches: AsyncIterable<Batch>, change: (row: Row) => Row): AsyncIterable<Batch> {
  return mapBatches(batches, (batch) => batch.map(change))
}

/** Makes any number of rows of each row; a full batch is handed on at once, so that a row that makes many does not pile up. */
export async function* expandRows(batches: AsyncIterable<Batch>, expand: (row: Row) => Iterable<Row>): AsyncGenerator<Batch> {
  for await (const batch of batches) yield* inBatches(expandEach(batch, expand))
}

function* expandEach(batch: Batch, expand: (row: Row) => Iterable<Row>): Generator<Row> {
  for (const row of batch) yield* expand(row)
}

/** The first rows behind an offset; what comes after them is not asked for. */
export async function* firstRows(batches: AsyncIterable<Batch>, count: number, offset = 0): AsyncGenerator<Batch> {
  let left = count
  let skip = offset
  if (left === 0) return
  for await (const batch of batches) {
    const kept = batch.slice(skip, skip + left)
    skip = Math.max(0, skip - batch.length)
    left -= kept.length
    if (kept.length > 0) yield kept
    if (left === 0) return
  }
}

/** Every row, in order, for commands that must see all of them before they answer. */
export async function collectRows(batches: AsyncIterable<Batch>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const batch of batches) for (const row of batch) rows.push(row)
  return rows
}

/** Hands a list of rows on in batches; very wide rows need smaller ones. */
export async function* inBatches(rows: Iterable<Row>, size = batchRows): AsyncGenerator<Batch> {
  let batch: Batch = []
  for (const row of rows) {
    batch.push(row)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
