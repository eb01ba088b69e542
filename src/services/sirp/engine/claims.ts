import type { Failure } from '../../../contract/sirp/queryRecord.ts'
import { Batcher } from '../../../platform/batcher.ts'
import type { House } from '../../house.ts'
import { leaseMs } from './bounds.ts'
import { lazily, nextFence } from './lazily.ts'
import { perHouse } from '../../perHouse.ts'
import { isLive, isRunning } from '../../states.ts'

/** A stage of a claimed query that has begun. */
export interface BegunStage {
  readonly stage: number
  readonly status: string
  readonly rowSet: string | null
  readonly rowsOut: number
  readonly unitsLeft: number
}

/** A query that a claimed one runs as a template. */
export interface ChildQuery {
  readonly id: string
  readonly stage: number
  readonly status: string
  readonly resultSet: string | null
  readonly rows: number
  readonly error: Failure | null
}

/** A query as its owner knows it. The fence stands in every write of this owner. */
export interface ClaimedQuery {
  readonly id: string
  readonly fence: number
  readonly claims: number
  readonly apiKeyId: string | null
  readonly requestId: string
  readonly query: string
  readonly known: Readonly<Record<string, unknown>> | null
  readonly inputId: string | null
  readonly inputSet: string | null
  readonly mode: 'comprehensive' | 'turbo'
  readonly cleanup: boolean
  readonly summary: boolean
  /** Whether a schedule runs it: then rows that an earlier query left are no answer to what is there now. */
  readonly scheduled: boolean
  readonly stages: readonly BegunStage[]
  readonly children: readonly ChildQuery[]
}

/** Makes this process the owner of a query that nobody works on; null where it has ended, belongs to another, or waits for its parts. */
export function claimQuery(house: House, id: string): Promise<ClaimedQuery | null> {
  return claimerOf(house).add(id)
}

/** Lets a query go without progress and without blame, so that another worker can take it at once. */
export async function giveBackQuery(house: House, { id, fence }: Pick<ClaimedQuery, 'id' | 'fence'>): Promise<void> {
  await house.pool.query({
    name: 'query-give-back',
    text: `WITH ${lazily} UPDATE queries SET lease_until = NULL, claims = claims - 1 FROM lazy WHERE id = $1 AND fence = $2 AND ${isRunning()}`,
    values: [id, fence],
  })
}

const claimerOf = perHouse((house) => new Batcher((ids: readonly string[]) => claimAll(house, ids), { maxItems: 50, lanes: 2 }))

async function claimAll(house: House, ids: readonly string[]): Promise<(ClaimedQuery | null)[]> {
  const { rows } = await house.pool.query<ClaimedQuery>({ name: 'query-claim', text: claimSql, values: [ids, leaseMs] })
  const claimed = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => {
    const mine = claimed.get(id) ?? null
    claimed.delete(id) // of two jobs for one query only one may own it
    return mine
  })
}

/** No part of a query has a worker or a job of its own: before the last of them ends there is nothing to take on. */
export const nothingUnderWay = `
  NOT EXISTS (SELECT 1 FROM query_units WHERE query_id = queries.id AND query_units.status <> 'done')
  AND NOT EXISTS (SELECT 1 FROM queries AS child WHERE child.parent_id = queries.id AND ${isLive('child')})`

const claimSql = `
  WITH ${lazily},
  claimed AS (
    UPDATE queries SET
      status = 'running', fence = ${nextFence('queries')}, claims = claims + 1, lease_until = now() + $2 * interval '1 millisecond', updated_at = now(),
      started_at = coalesce(started_at, now()),
      deadline_at = coalesce(deadline_at, CASE WHEN minutes > 0 THEN now() + minutes * interval '1 minute' END)
    WHERE id = ANY($1::uuid[]) AND ${isLive()} AND (lease_until IS NULL OR lease_until < now()) AND ${nothingUnderWay}
    RETURNING *)
  SELECT id, fence, claims, api_key_id AS "apiKeyId", request_id AS "requestId", query, known, input_id AS "inputId", mode, cleanup, summary, schedule_id IS NOT NULL AS scheduled,
    (SELECT result_set FROM queries AS input WHERE input.id = claimed.input_id) AS "inputSet",
    (SELECT coalesce(json_agg(json_build_object(
      'stage', stage, 'status', stages.status, 'rowSet', row_set, 'rowsOut', rows_out, 'unitsLeft', units_left) ORDER BY stage), '[]')
      FROM query_stages AS stages WHERE query_id = claimed.id) AS stages,
    (SELECT coalesce(json_agg(json_build_object(
      'id', child.id, 'stage', parent_stage, 'status', child.status, 'resultSet', child.result_set, 'rows', child.rows, 'error', child.error)), '[]')
      FROM queries AS child WHERE child.parent_id = claimed.id) AS children
  FROM claimed, lazy`
