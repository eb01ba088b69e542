import type { IncomingMessage } from 'node:http'
import type { Waited } from '../../contract/sirp/queryResults.ts'
import { Problem } from '../../platform/errors.ts'
import type { House } from '../house.ts'
import type { Batch } from '../../query/rows.ts'
import { decodeRows } from './engine/chunks.ts'
import { keepQuery } from './engine/dispatch.ts'
import { completeSet, nextPiece } from './engine/rowPages.ts'
import { waitForEnd, type SeenQuery } from './engine/waitForEnd.ts'
import { isEnding } from './engine/wakes.ts'
import type { Started } from './queryStarts.ts'
import { failureOf, isEnded, linksOf, stateOf } from './queryRecords.ts'

/** Rows of an answer that waited, unless more are asked for. */
const usualLimit = 100

/** Waits for a query and answers its first rows; a 504 that names it when the wait runs out. The query goes on whatever becomes of the wait. */
export async function waitedFor(house: House, started: Started, waitMs: number, upload: IncomingMessage, limit = usualLimit): Promise<Waited> {
  const seen = await seenEnd(house, started, waitMs, upload)
  if (!isEnded(seen.status)) throw notEnded(house, seen, waitMs)
  return presentWaited(house, seen, limit)
}

/** Why there are no rows yet: the time is up, or this process ends and another one must be asked. */
function notEnded(house: House, { id, status }: SeenQuery, waitMs: number): Problem {
  const extra = { id, queryId: id, queryStatus: status }
  const goesOn = `and goes on; read it at ${linksOf(id).self}.`
  if (isEnding(house)) return new Problem('unavailable', `This process is shutting down. The query ${id} has not ended yet, ${goesOn}`, { retryAfterS: 1, extra })
  return new Problem('wait_timeout', `The query has not ended within ${waitMs / 1000} seconds, ${goesOn}`, { extra })
}

/** Waits for the end of a query as long as its client does; one that has not ended is on the disk before anybody hears of it. */
export async function seenEnd(house: House, { id, isNew, isKept }: Started, waitMs: number, { socket }: IncomingMessage): Promise<SeenQuery> {
  const gone = new AbortController()
  const leave = (): void => gone.abort()
  socket.once('close', leave)
  try {
    const seen = await waitForEnd(house, { id, waitMs, signal: gone.signal, isNew })
    if (seen && (isKept || isEnded(seen.status) || (await keepQuery(house, id)))) return seen
    throw new Problem('not_found', `The query ${id} was deleted while it was waited for.`)
  } finally {
    socket.off('close', leave)
  }
}

/** The first rows, as many as are asked for or fit into one answer. */
async function firstRows(house: House, { resultSet, rows: total, first }: SeenQuery, limit: number): Promise<Batch> {
  if (resultSet === null) return []
  const known = first ? await decodeRows(first) : []
  if (known.length >= Math.min(limit, total)) return known.slice(0, limit)
  // The rows of a completed query are complete, and their number stands in its record.
  return (await nextPiece(completeSet(house.pool, resultSet, total).pieces(0, limit)[Symbol.asyncIterator]())) ?? []
}

/** An ended query with its first rows. */
export async function presentWaited(house: House, seen: SeenQuery, limit: number): Promise<Waited> {
  const { id, status, rows: total, resultSet, error } = seen
  const rows = await firstRows(house, seen, limit)
  return {
    id,
    status: stateOf(status),
    total: resultSet === null ? 0 : total,
    offset: 0,
    // Very wide rows do not all fit; the page says then how many it holds, so that the next one begins behind them.
    limit: resultSet !== null && rows.length < Math.min(limit, total) ? rows.length : limit,
    results: rows.map((content) => ({ content })),
    ...failureOf(error),
    links: linksOf(id),
  }
}
