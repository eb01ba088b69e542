import type { QueryStatus } from '../../contract/sirp/queryRecord.ts'
import { orNotFound } from '../change.ts'
import type { House } from '../house.ts'
import { queryNoun, stateOf, troublesOf } from './queryRecords.ts'

interface StatusRow {
  readonly id: string
  readonly status: string
  readonly stagesTotal: number
  readonly stagesCompleted: number
  readonly rows: string
  readonly error: unknown
  readonly waiting: unknown
  /** Shares of the stages that run now, added up. */
  readonly share: number | null
}

/** One light statement, without the text of the query: many ask for the status, again and again. */
const statement = {
  name: 'query-status',
  text: `SELECT id, status, stages_total AS "stagesTotal", stages_completed AS "stagesCompleted", rows, error, waiting,
    (SELECT sum(least(1, (commands_completed + commands_failed + commands_skipped)::float8 / commands_total))
     FROM query_stages WHERE query_id = queries.id AND status = 'running' AND commands_total > 0) AS share
    FROM queries WHERE id = $1`,
} as const

/** Where a query stands, or null where there is none. */
export async function findStatus({ pool }: Pick<House, 'pool'>, id: string): Promise<QueryStatus | null> {
  const { rows } = await pool.query<StatusRow>({ ...statement, values: [id] })
  return rows[0] ? presentStatus(rows[0]) : null
}

/** Where a query stands, or a 404. */
export async function readStatus(house: Pick<House, 'pool'>, id: string): Promise<QueryStatus> {
  return orNotFound(await findStatus(house, id), queryNoun, id)
}

function presentStatus(row: StatusRow): QueryStatus {
  return {
    id: row.id,
    status: stateOf(row.status),
    stages: { total: row.stagesTotal, completed: row.stagesCompleted },
    rows: Number(row.rows),
    progress: progressOf(row),
    ...troublesOf(row),
  }
}

/** Most that a query can have done before it is completed. */
const almost = 0.99

function progressOf({ status, stagesTotal, stagesCompleted, share }: StatusRow): number {
  if (status === 'completed') return 1
  return Math.min(almost, (stagesCompleted + (share ?? 0)) / Math.max(1, stagesTotal))
}
