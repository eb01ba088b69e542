import type pg from 'pg'
import type { QueryStage } from '../../../platform/prisma/generated/client.ts'
import type { Row } from '../../../query/rows.ts'
import type { House } from '../../house.ts'
import { appendChunks } from './appendChunks.ts'
import { endedColumns, wakeParentSql } from './ends.ts'
import { outboxColumns, sendNow, type OutboxJob } from './outbox.ts'
import { LostQuery, type Owner } from './passes.ts'
import { wake } from './wakes.ts'
import { inTransaction } from '../../../platform/prisma/inTransaction.ts'
import { storableJson } from '../../../platform/storableText.ts'
import { isRunning } from '../../states.ts'

/** A step of the transaction that ends a stage. */
export type Step = (client: pg.PoolClient) => Promise<void>

/** The end of a stage that was run by jobs. */
export interface Settling {
  readonly stage: number
  readonly setId: string
  /** Another stage's rows that come behind its own, and what is made of each of them; null leaves them as they are. */
  readonly append: { readonly setId: string; readonly shape: ((row: Row) => Row) | null } | null
  readonly cacheKey: string | null
  readonly cacheTtlS: number
  readonly steps: readonly Step[]
  /** What is given up where the query is completed with this stage; null where it goes on. */
  readonly completes: Pick<Completion, 'dropBefore'> | null
}

/** Ends a stage whose units have all ended: puts its chunks in their places and answers how many rows there are. */
export async function settleStage(house: House, owner: Owner, settling: Settling): Promise<number> {
  const { completes, setId } = settling
  const { rows, jobs } = await inTransaction(house.pool, async (client) => {
    const settled = await settle(client, owner, settling)
    return { rows: settled, jobs: completes ? await complete(client, owner, { resultSet: setId, rows: settled, ...completes, summary: undefined }) : [] }
  })
  if (completes) tell(house, owner, jobs)
  return rows
}

async function settle(client: pg.PoolClient, owner: Owner, { stage, setId, append, cacheKey, cacheTtlS, steps }: Settling): Promise<number> {
  if (append) await appendChunks(client, setId, append.setId, append.shape)
  const { rows } = await client.query<{ rows: string }>({
    name: 'stage-settle',
    text: settleSql,
    values: [owner.id, owner.fence, stage, setId, cacheKey === null ? null : Buffer.from(cacheKey, 'hex'), cacheTtlS],
  })
  const [settled] = rows
  if (!settled) throw new LostQuery()
  for (const step of steps) await step(client)
  return Number(settled.rows)
}

/** What the end of a query leaves. */
export interface Completion {
  readonly resultSet: string | null
  readonly rows: number
  /** Stage up to which rows are given up; 0 gives up none. */
  readonly dropBefore: number
  readonly summary: unknown
}

/** Completes a query whose stages have all ended. */
export async function completeQuery(house: House, owner: Owner, completion: Completion): Promise<void> {
  tell(house, owner, await complete(house.pool, owner, completion))
}

async function complete(connection: pg.Pool | pg.PoolClient, owner: Owner, { resultSet, rows, dropBefore, summary }: Completion): Promise<OutboxJob[]> {
  const { rows: jobs } = await connection.query<OutboxJob>({
    name: 'query-complete',
    text: completeSql,
    values: [owner.id, owner.fence, resultSet, rows, dropBefore, summary === undefined ? null : storableJson(summary)],
  })
  if (jobs.length === 0) throw new LostQuery()
  return jobs.filter(({ id }) => id !== null)
}

function tell(house: House, { id }: Owner, jobs: readonly OutboxJob[]): void {
  sendNow(house, jobs)
  wake(house, id, 'ended')
}

/** The stages of a query as they are stored. */
export async function storedStages({ db }: House, queryId: string): Promise<QueryStage[]> {
  return db.queryStage.findMany({ where: { queryId }, orderBy: { stage: 'asc' } })
}

const settleSql = `
  WITH own AS (
    UPDATE queries SET claims = 0, stages_completed = $3 + 1, updated_at = now(), rows = (SELECT coalesce(sum(row_count), 0) FROM row_chunks WHERE set_id = $4)
    WHERE id = $1 AND fence = $2 AND ${isRunning()} RETURNING id, rows),
  places AS (SELECT sequence, sum(row_count) OVER (ORDER BY sequence) - row_count AS row_start FROM row_chunks WHERE set_id = $4),
  placed AS (UPDATE row_chunks SET row_start = places.row_start FROM own, places WHERE set_id = $4 AND row_chunks.sequence = places.sequence),
  sets AS (
    UPDATE row_sets SET complete = true, rows = own.rows, bytes = (SELECT coalesce(sum(octet_length(data)), 0) FROM row_chunks WHERE set_id = $4)
    FROM own WHERE row_sets.id = $4),
  stages AS (
    UPDATE query_stages SET status = 'completed', rows_out = own.rows, finished_at = now(), ms = extract(epoch FROM now() - started_at) * 1000,
      cached = cache_hits > 0 AND cache_hits = commands_total
    FROM own WHERE query_id = own.id AND stage = $3 RETURNING commands_failed + commands_skipped AS unsuccessful),
  units AS (DELETE FROM query_units USING own WHERE query_id = own.id AND stage = $3),
  cache AS (
    INSERT INTO stage_cache (key, set_id, rows, expires_at)
    SELECT $5, $4, own.rows, now() + $6 * interval '1 second' FROM own, stages WHERE $5::bytea IS NOT NULL AND unsuccessful = 0
    ON CONFLICT (key) DO UPDATE SET set_id = excluded.set_id, rows = excluded.rows, expires_at = excluded.expires_at)
  SELECT rows FROM own`

const completeSql = `
  WITH ended AS (
    UPDATE queries SET status = 'completed', result_set = $3, rows = $4, summary_result = coalesce($6::json, summary_result), ${endedColumns}
    WHERE id = $1 AND fence = $2 AND ${isRunning()} RETURNING id, parent_id),
  dropped AS (UPDATE query_stages SET row_set = NULL FROM ended WHERE query_id = ended.id AND stage < $5),
  ${wakeParentSql}
  SELECT job.* FROM ended LEFT JOIN (SELECT ${outboxColumns} FROM sent) AS job ON true`
