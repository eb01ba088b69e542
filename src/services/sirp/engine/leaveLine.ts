import { forgetHolders } from '../../../governor/forget.ts'
import type { House } from '../../house.ts'

/** The step beside an ending of query $1 that tells which domain it waited for, before that is cleared. */
export const waitedSql = `waited AS (SELECT waiting->>'domain' AS "waitedFor" FROM queries WHERE id = $1)`

/** Gives up the places that an ended query had in the line of a domain, so that others need not wait for it. */
export function leaveLine({ redis, env }: House, queryId: string, waitedFor: string | null | undefined): void {
  if (typeof waitedFor === 'string') forgetHolders(redis, env.redisPrefix, waitedFor, `${queryId}-`)
}
