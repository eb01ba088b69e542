import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { PayloadOf } from '../../../contract/queues.ts'
import { sort } from '../../../query/commands/sort.ts'
import type { Batch } from '../../../query/rows.ts'
import type { Scratch } from '../../../query/scratch.ts'
import type { House } from '../../house.ts'
import { encodeRows, partsWithin } from './chunks.ts'
import { openSet } from './rowPages.ts'

/** A set in the order of one of its columns. */
export type SetOrder = PayloadOf<'query.order'>

/** What sorting may use. */
export interface SortMeans {
  readonly signal: AbortSignal
  readonly scratch: Scratch
}

/** Characters of a chunk, roughly: wide rows make chunks of fewer rows. */
const chunkChars = 2 ** 20

/** For rows that are known to be few. */
const inMemory: SortMeans = {
  signal: new AbortController().signal,
  scratch: { memoryBytes: Infinity, open: () => Promise.reject(new Error('sorting in memory needs no disk')) },
}

/** Sorts by the very command of the language, so that a query and a reader see one order. */
export function sortBatches(batches: AsyncIterable<Batch>, { key, descending }: SetOrder, means = inMemory): AsyncIterable<Batch> {
  const call = { args: { columns: [key] }, flags: { order: [descending ? 'descending' : 'ascending'] }, context: means }
  if (!sort.run) throw new Error('sort runs on rows')
  return sort.run(batches, call as never) // of the world of a stage it uses the signal and the disk only
}

/** The set that holds another in this order, where it has been made. */
export async function findOrder(pool: pg.Pool, { setId, key, descending }: SetOrder): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'row-order',
    text: `SELECT id FROM row_orders JOIN row_sets ON id = sorted_id WHERE set_id = $1 AND key = $2 AND descending = $3 AND complete`,
    values: [setId, key, descending],
  })
  return rows[0]?.id ?? null
}

/** Makes a set in another order, unless it is there. What an earlier try left unfinished is made anew. */
export async function buildOrder({ pool }: Pick<House, 'pool'>, order: SetOrder, means: SortMeans): Promise<void> {
  const source = await openSet(pool, order.setId)
  if (!source?.complete || (await findOrder(pool, order)) !== null) return
  const sortedId = await beginOrder(pool, order)
  let rowStart = 0
  let sequence = 0
  for await (const batch of sortBatches(source.stream(0), order, means)) {
    for (const rows of partsWithin(batch, chunkChars)) {
      means.signal.throwIfAborted()
      await pool.query({
        name: 'row-order-chunk',
        text: 'INSERT INTO row_chunks (set_id, sequence, row_start, row_count, data) VALUES ($1, $2, $3, $4, $5)',
        values: [sortedId, sequence, rowStart, rows.length, await encodeRows(rows)],
      })
      rowStart += rows.length
      sequence += 1
    }
  }
  await pool.query({ name: 'row-order-end', text: 'UPDATE row_sets SET complete = true, rows = $2 WHERE id = $1', values: [sortedId, rowStart] })
}

/** The new set is named from its beginning, so that nobody takes it for one that is no longer needed. */
async function beginOrder(pool: pg.Pool, { setId, key, descending }: SetOrder): Promise<string> {
  const sortedId = randomUUID()
  await pool.query({
    name: 'row-order-drop',
    text: `DELETE FROM row_sets USING row_orders WHERE id = sorted_id AND set_id = $1 AND key = $2 AND descending = $3 AND NOT complete`,
    values: [setId, key, descending],
  })
  await pool.query({
    name: 'row-order-begin',
    text: `WITH made AS (INSERT INTO row_sets (id, query_id, bytes) SELECT $4::uuid, query_id, bytes FROM row_sets WHERE id = $1 RETURNING id)
      INSERT INTO row_orders (set_id, key, descending, sorted_id) SELECT $1, $2, $3, id FROM made`,
    values: [setId, key, descending, sortedId],
  })
  return sortedId
}
