import type { IncomingMessage } from 'node:http'
import type { Waited } from '../../contract/sirp/queryResults.ts'
import { Problem } from '../../platform/errors.ts'
import type { House } from '../house.ts'
import { completeSet } from './engine/rowPages.ts'
import { waitForEnd, type SeenQuery } from './engine/waitForEnd.ts'
import { isEnding } from './engine/wakes.ts'
import { failureOf, isEnded, linksOf, stateOf } from './queryRecords.ts'

/** Rows of an answer that waited, unless more are asked for. */
const usualLimit = 100

/** Waits for a query and answers its first rows; a 504 that names it when the wait runs out. The query goes on whatever becomes of the wait. */
export async function waitedFor(house: House, id: string, waitMs: number, upload: IncomingMessage, limit = usualLimit): Promise<Waited> {
  const seen = await seenEnd(house, id, waitMs, upload)
  if (!seen) throw new Problem('not_found', `The query ${id} was deleted while it was waited for.`)
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

/** Waits for the end of a query as long as its client does. */
export async function seenEnd(house: House, id: string, waitMs: number, { socket }: IncomingMessage): Promise<SeenQuery | null> {
  const gone = new AbortController()
  const leave = (): void => gone.abort()
  socket.once('close', leave)
  try {
    return await waitForEnd(house, id, waitMs, gone.signal)
  } finally {
    socket.off('close', leave)
  }
}

/** An ended query with its first rows. */
export async function presentWaited(house: House, { id, status, rows: total, resultSet, error }: SeenQuery, limit: number): Promise<Waited> {
  // The rows of a completed query are complete, and their number stands in its record.
  const rows = resultSet === null ? [] : await completeSet(house.pool, resultSet, total).page(0, limit)
  return {
    id,
    status: stateOf(status),
    total: resultSet === null ? 0 : total,
    offset: 0,
    limit,
    results: rows.map((content) => ({ content })),
    ...failureOf(error),
    links: linksOf(id),
  }
}
