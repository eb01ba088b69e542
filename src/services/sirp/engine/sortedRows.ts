import { createHash } from 'node:crypto'
import { pause } from '../../../platform/clock.ts'
import { Problem } from '../../../platform/errors.ts'
import type { Row } from '../../../query/rows.ts'
import { collectRows, inBatches } from '../../../query/stream.ts'
import type { House } from '../../house.ts'
import { queueOf } from '../../queuesOf.ts'
import { findOrder, sortBatches, type SetOrder } from './rowOrders.ts'
import { openSet, type RowSource } from './rowPages.ts'

/** Rows that are sorted on the spot; more are sorted once, by a worker, and kept in that order. */
const atOnceRows = 20_000

/** How long a reader waits for a worker to sort. */
const waitMs = 60_000
const pollMs = 100

/** The rows of a set in the order of a column; null where there is no such set. */
export async function openSorted(house: House, order: SetOrder, bounds = { atOnceRows, waitMs }): Promise<RowSource | null> {
  const source = await openSet(house.pool, order.setId)
  if (!source) return null
  if (source.total <= bounds.atOnceRows) return new ListedRows(await collectRows(sortBatches(source.stream(0), order)))
  if (!source.complete) throw stillRuns(bounds.atOnceRows)
  const sorted = (await findOrder(house.pool, order)) ?? (await awaitOrder(house, order, bounds.waitMs))
  return openSet(house.pool, sorted)
}

function stillRuns(rows: number): Problem {
  const most = rows.toLocaleString('en')
  return new Problem('conflict', `The stage still runs, and more than ${most} rows are sorted only when it has ended; read them unsorted, or then.`)
}

async function awaitOrder(house: House, order: SetOrder, boundMs: number): Promise<string> {
  await askForOrder(house, order)
  for (const until = Date.now() + boundMs; Date.now() < until; ) {
    await pause(pollMs)
    const sorted = await findOrder(house.pool, order)
    if (sorted !== null) return sorted
  }
  throw new Problem('wait_timeout', 'The rows are still being sorted; ask again, and the order that is made by then is used.', { retryAfterS: 10 })
}

/** Many readers of one order ask for one job; it is forgotten when it ends, so that it can be asked for again. */
async function askForOrder(house: House, { setId, key, descending }: SetOrder): Promise<void> {
  const jobId = `order-${setId}-${createHash('sha256').update(JSON.stringify([key, descending])).digest('hex').slice(0, 32)}`
  try {
    await queueOf(house, 'query').add('query.order', { setId, key, descending }, { jobId, removeOnComplete: true, removeOnFail: true })
  } catch (cause) {
    const detail = 'The queue cannot be reached now, and so many rows are sorted by a worker; try again.'
    throw new Problem('unavailable', detail, { retryAfterS: 2, cause })
  }
}

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

  stream(from: number): AsyncIterable<Row[]> {
    return inBatches(this.#rows.slice(from))
  }
}
