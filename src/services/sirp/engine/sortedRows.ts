import { createHash } from 'node:crypto'
import { pause } from '../../../platform/clock.ts'
import { Problem } from '../../../platform/errors.ts'
import type { Batch, Row } from '../../../query/rows.ts'
import { collectRows, inBatches } from '../../../query/stream.ts'
import type { House } from '../../house.ts'
import { queueOf } from '../../queuesOf.ts'
import { mostRead } from './bounds.ts'
import { charsOf, partsWithin } from './chunks.ts'
import { findOrder, sortBatches, type SetOrder } from './rowOrders.ts'
import { openSet, type RowSource } from './rowPages.ts'

/** Rows that are sorted on the spot; more are sorted once, by a worker, and kept in that order. */
const atOnceRows = 20_000
const atOnceChars = 64 * 2 ** 20

/** How long a reader waits for a worker to sort. */
const waitMs = 60_000
const pollMs = 100
/** How often the job is given: the first may get lost with Redis. */
const mostJobs = 2

interface SortBounds {
  readonly atOnceRows: number
  readonly atOnceChars?: number
  readonly waitMs: number
}

/** The rows of a set in the order of a column; null where there is no such set. */
export async function openSorted(house: House, order: SetOrder, bounds: SortBounds = { atOnceRows, waitMs }): Promise<RowSource | null> {
  const source = await openSet(house.pool, order.setId)
  if (!source) return null
  const few = source.total <= bounds.atOnceRows ? await collectNarrow(source.stream(0), bounds.atOnceChars ?? atOnceChars) : null
  if (few) return new ListedRows(await collectRows(sortBatches(inBatches(few), order)))
  if (!source.complete) throw notCompleted(bounds.atOnceRows)
  const sorted = (await findOrder(house.pool, order)) ?? (await awaitOrder(house, order, bounds.waitMs))
  return openSet(house.pool, sorted)
}

/** All rows, or null where they are too wide to be held together. */
async function collectNarrow(batches: AsyncIterable<Batch>, mostChars: number): Promise<Row[] | null> {
  const rows: Row[] = []
  let chars = 0
  for await (const batch of batches) {
    for (const row of batch) {
      rows.push(row)
      chars += charsOf(row)
    }
    if (chars > mostChars) return null
  }
  return rows
}

function notCompleted(rows: number): Problem {
  const most = rows.toLocaleString('en')
  const detail = `The stage has not completed, and more than ${most} rows, or 64 MiB of them, are sorted only where it has; read them unsorted.`
  return new Problem('conflict', detail)
}

async function awaitOrder(house: House, order: SetOrder, boundMs: number): Promise<string> {
  await askForOrder(house, order)
  let jobs = 1
  for (const until = Date.now() + boundMs; Date.now() < until; ) {
    await pause(pollMs)
    // Looked for first: a job that ends in between has made the order by then.
    const isUnderWay = await hasJob(house, order)
    const sorted = await findOrder(house.pool, order)
    if (sorted !== null) return sorted
    if (isUnderWay) continue
    if (jobs === mostJobs) throw unsortable()
    await askForOrder(house, order)
    jobs += 1
  }
  throw new Problem('wait_timeout', 'The rows are still being sorted; ask again, and the order that is made by then is used.', { retryAfterS: 10 })
}

function unsortable(): Problem {
  const detail = 'The rows could not be sorted, and the log of the worker says why; read them unsorted, or ask again later.'
  return new Problem('unavailable', detail, { retryAfterS: 10 })
}

/** Many readers of one order ask for one job; it is forgotten when it ends, so that it can be asked for again. */
async function askForOrder(house: House, order: SetOrder): Promise<void> {
  const { setId, key, descending } = order
  try {
    await queueOf(house, 'query').add('query.order', { setId, key, descending }, { jobId: jobIdOf(order), removeOnComplete: true, removeOnFail: true })
  } catch (cause) {
    const detail = 'The queue cannot be reached now, and so many rows are sorted by a worker; try again.'
    throw new Problem('unavailable', detail, { retryAfterS: 2, cause })
  }
}

/** Whether the job stands in the queue or runs; a Redis that is away does not tell, and may still have it. */
function hasJob(house: House, order: SetOrder): Promise<boolean> {
  return queueOf(house, 'query').getJob(jobIdOf(order)).then((job) => job !== undefined, () => true)
}

const jobIdOf = ({ setId, key, descending }: SetOrder): string =>
  `order-${setId}-${createHash('sha256').update(JSON.stringify([key, descending])).digest('hex').slice(0, 32)}`

/** Rows that are at hand as a whole. */
export class ListedRows implements RowSource {
  readonly #rows: readonly Row[]

  constructor(rows: readonly Row[]) {
    this.#rows = rows
  }

  get total(): number {
    return this.#rows.length
  }

  page(offset: number, limit: number): Promise<Row[]> {
    return Promise.resolve(this.#rows.slice(offset, offset + limit))
  }

  async *pieces(offset: number, limit: number): AsyncGenerator<Row[]> {
    yield* partsWithin(this.#rows.slice(offset, offset + limit), mostRead)
  }

  stream(from: number): AsyncIterable<Row[]> {
    return inBatches(this.#rows.slice(from))
  }
}
