import type { House } from '../../house.ts'
import { endQuery, type Asked } from './ends.ts'

/** What ending a query early came to: done, over before, or no such query. */
export type Ending = 'ended' | 'over' | 'missing'

/**
 * Cancels a query. The row decides at once, also while Redis or the worker is gone: every later write of a worker finds the query
 * ended and does nothing. Workers hear of it through Redis, or when they next renew their lease, and abort what they have under way.
 */
export async function cancelQuery(house: House, id: string, asked?: Asked): Promise<Ending> {
  if (await endQuery(house, id, 'cancelled', null, { anyone: true, ...(asked ? { asked } : {}) })) return 'ended'
  return overOrMissing(house, id)
}

/** Why a query could not be ended. */
export async function overOrMissing({ pool }: House, id: string): Promise<Ending> {
  const { rowCount } = await pool.query({ name: 'query-there', text: 'SELECT 1 FROM queries WHERE id = $1', values: [id] })
  return rowCount === 0 ? 'missing' : 'over'
}
