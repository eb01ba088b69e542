import type pg from 'pg'
import type { House } from '../../house.ts'
import { oneRecordSql } from './commandRecords.ts'
import { outboxColumns, sendNow, type OutboxJob } from './outbox.ts'
import { tellEnd } from './endNews.ts'
import { endedColumns, wakeParentSql } from './ends.ts'
import { wake } from './wakes.ts'
import { inTransaction } from '../../../platform/prisma/inTransaction.ts'
import { storableJson } from '../../../platform/storableText.ts'
import { isRunning } from '../../states.ts'

/** Who writes: an owner whose fence is no longer the query's changes nothing. */
export interface Owner {
  readonly id: string
  readonly fence: number
}

/** Some rows of a set, ready to be stored. */
export interface Chunk {
  readonly setId: string
  readonly sequence: number
  readonly rowStart: number | null
  readonly rowCount: number
  readonly data: Buffer
}

/** A stage as a pass leaves it behind. */
export interface StageWrite {
  readonly stage: number
  readonly label: string | null
  readonly command: string
  readonly kind: string
  readonly rowSet: string | null
  readonly rowsIn: number
  readonly rowsOut: number
  readonly bytes: number
  readonly ms: number
  readonly cached: boolean
  /** Whether its set was made by this stage, and is complete with it. */
  readonly makesSet: boolean
  readonly args: readonly unknown[]
  readonly flags: Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
  /** Under which its rows may be used again; null where they may not. */
  readonly cacheKey: string | null
}

/** What the end of a pass means for its query. */
export interface PassEnd {
  readonly stages: readonly StageWrite[]
  readonly chunks: readonly Chunk[]
  readonly stagesCompleted: number
  /** Rows of the last stage so far. */
  readonly rows: number
  /** Whether the query is completed with it, and then the set that holds its rows. */
  readonly completed: boolean
  readonly resultSet: string | null
  /** Whether the rows of all stages but the last are given up. */
  readonly onlyLast: boolean
  /** Whether its rows may be told to those who wait for the query; secrets are kept in the database only. */
  readonly isTold?: boolean
  readonly cacheTtlS: number
}

/** The owner has lost the query: it was cancelled, or another worker has taken it over. */
export class LostQuery extends Error {
  override readonly name = 'LostQuery'
}

/** Shows that stages have begun, and where their rows can be read while they run. */
export async function beginPass(house: House, owner: Owner, stages: readonly StageWrite[]): Promise<void> {
  const { rowCount } = await house.pool.query({ name: 'pass-begin', text: beginSql, values: [owner.id, owner.fence, storableJson(stages)] })
  if (rowCount === 0) throw new LostQuery()
  wake(house, owner.id)
}

/** Stores rows of stages that are not at their end. */
export async function writeChunks(house: House, owner: Owner, chunks: readonly Chunk[]): Promise<void> {
  const text = `
    WITH own AS (SELECT id FROM queries WHERE id = $1 AND fence = $2 AND ${isRunning()} FOR SHARE),
    ${chunksSql(chunks.length, 3)}
    SELECT id FROM own`
  const { rowCount } = await house.pool.query({ name: `chunks-${chunks.length}`, text, values: [owner.id, owner.fence, ...chunkValues(chunks)] })
  if (rowCount === 0) throw new LostQuery()
}

/** Ends a pass: everything that it made, and what follows from it, in one transaction. */
export async function finishPass(house: House, owner: Owner, end: PassEnd, steps: readonly ((client: pg.PoolClient) => Promise<void>)[]): Promise<void> {
  const jobs = steps.length === 0 ? await finish(house.pool, owner, end) : await finishWith(house, owner, end, steps)
  sendNow(house, jobs)
  wake(house, owner.id, end.completed ? 'ended' : 'changed', end.completed && end.isTold ? tellEnd(end) : undefined)
}

function finishWith(house: House, owner: Owner, end: PassEnd, steps: readonly ((client: pg.PoolClient) => Promise<void>)[]): Promise<OutboxJob[]> {
  return inTransaction(house.pool, async (client) => {
    const jobs = await finish(client, owner, end)
    for (const step of steps) await step(client)
    return jobs
  })
}

async function finish(connection: pg.Pool | pg.PoolClient, owner: Owner, end: PassEnd): Promise<OutboxJob[]> {
  const { stages, chunks } = end
  const { rows } = await connection.query<OutboxJob>({
    name: `pass-finish-${end.completed}-${end.onlyLast}-${chunks.length}`,
    text: finishSql(end, chunks.length),
    values: [
      owner.id, owner.fence, storableJson(stages), end.stagesCompleted, end.rows, end.resultSet, end.cacheTtlS, ...chunkValues(chunks),
    ],
  })
  if (rows.length === 0) throw new LostQuery()
  return rows.filter(({ id }) => id !== null)
}

const stageRecord = `
  stage integer, label text, command text, kind text, "rowSet" uuid, "rowsIn" bigint, "rowsOut" bigint, bytes bigint, ms double precision,
  cached boolean, "makesSet" boolean, args json, flags json, warnings json, "cacheKey" text`

const beginSql = `
  WITH own AS (SELECT id FROM queries WHERE id = $1 AND fence = $2 AND ${isRunning()} FOR SHARE),
  sets AS (
    INSERT INTO row_sets (id, query_id) SELECT "rowSet", own.id FROM own, json_to_recordset($3::json) AS stage(${stageRecord}) WHERE "rowSet" IS NOT NULL AND "makesSet"
    ON CONFLICT (id) DO NOTHING),
  stages AS (
    INSERT INTO query_stages AS old (query_id, stage, label, command, kind, status, row_set, commands_total, jobs, started_at)
    SELECT own.id, stage, label, command, kind, 'running', "rowSet", 1, 1, now() FROM own, json_to_recordset($3::json) AS stage(${stageRecord})
    ON CONFLICT (query_id, stage) DO UPDATE SET row_set = excluded.row_set, status = 'running', jobs = old.jobs + 1)
  SELECT id FROM own`

/** Stores chunks of sets that may not be there yet. */
function chunksSql(count: number, from: number): string {
  if (count === 0) return 'chunks AS (SELECT 1)'
  const tuples = Array.from({ length: count }, (_, index) => {
    const at = from + index * 5
    return `($${at}::uuid, $${at + 1}::bigint, $${at + 2}::bigint, $${at + 3}::integer, $${at + 4}::bytea)`
  })
  return `chunks AS (
    INSERT INTO row_chunks (set_id, sequence, row_start, row_count, data)
    SELECT given.* FROM own, (VALUES ${tuples.join(', ')}) AS given
    ON CONFLICT (set_id, sequence) DO UPDATE SET row_start = excluded.row_start, row_count = excluded.row_count, data = excluded.data)`
}

const chunkValues = (chunks: readonly Chunk[]): unknown[] =>
  chunks.flatMap(({ setId, sequence, rowStart, rowCount, data }) => [setId, sequence, rowStart, rowCount, data])

/** A stage of a pass counts as one run of its command; a command that runs for each row and had none did not run. */
const runsSql = `CASE WHEN kind = 'expand' AND "rowsIn" = 0 AND NOT cached THEN 0 ELSE 1 END`
const passRecordSql = oneRecordSql({ args: 'args', flags: 'flags', rows: '"rowsOut"', bytes: 'bytes', ms: 'ms', cached: 'cached', warnings: 'warnings' })

const finishSql = ({ completed, onlyLast }: PassEnd, chunkCount: number): string => `
  WITH ended AS (
    UPDATE queries SET stages_completed = $4, rows = $5, claims = 0, ${completed ? '' : 'updated_at = now(),'}
      result_set = $6::uuid ${completed ? `, status = 'completed', ${endedColumns}` : ''}
    WHERE id = $1 AND fence = $2 AND ${isRunning()} RETURNING id, ${completed ? 'parent_id' : 'NULL::uuid AS parent_id'}),
  own AS (SELECT id FROM ended),
  given AS (SELECT stage.*, ${runsSql} AS runs FROM own, json_to_recordset($3::json) AS stage(${stageRecord})),
  sets AS (
    INSERT INTO row_sets AS old (id, query_id, complete, rows, bytes)
    SELECT "rowSet", own.id, true, "rowsOut", bytes FROM own, given WHERE "rowSet" IS NOT NULL AND "makesSet"
    ON CONFLICT (id) DO UPDATE SET complete = true, rows = excluded.rows, bytes = excluded.bytes),
  ${chunksSql(chunkCount, 8)},
  stages AS (
    INSERT INTO query_stages AS old (query_id, stage, label, command, kind, status, row_set, rows_in, rows_out, bytes, ms, cached, cache_hits, jobs, commands_total, commands_completed, started_at, finished_at)
    SELECT own.id, stage, label, command, kind, 'completed', "rowSet", "rowsIn", "rowsOut", bytes, ms, cached, CASE WHEN cached THEN 1 ELSE 0 END,
      CASE WHEN cached THEN 0 ELSE 1 END, runs, runs, now() - ms * interval '1 millisecond', now() FROM own, given
    ON CONFLICT (query_id, stage) DO UPDATE SET status = 'completed', row_set = excluded.row_set, rows_in = excluded.rows_in, rows_out = excluded.rows_out,
      bytes = excluded.bytes, ms = excluded.ms, cached = excluded.cached, cache_hits = excluded.cache_hits, commands_total = excluded.commands_total, commands_completed = excluded.commands_completed, finished_at = now()),
  commands AS (
    INSERT INTO command_records (query_id, stage, first_index, count, command, data) SELECT own.id, stage, 0, 1, command, ${passRecordSql} FROM own, given WHERE runs = 1
    ON CONFLICT (query_id, stage, first_index) DO UPDATE SET data = excluded.data),
  cache AS (
    INSERT INTO stage_cache (key, set_id, rows, expires_at)
    SELECT decode("cacheKey", 'hex'), "rowSet", "rowsOut", now() + $7 * interval '1 second' FROM given WHERE "cacheKey" IS NOT NULL AND "rowSet" IS NOT NULL
    ON CONFLICT (key) DO UPDATE SET set_id = excluded.set_id, rows = excluded.rows, expires_at = excluded.expires_at),
  ${onlyLast ? 'dropped AS (UPDATE query_stages SET row_set = NULL FROM own WHERE query_id = own.id AND stage < (SELECT min(stage) FROM given)),' : ''}
  ${wakeParentSql}
  SELECT job.* FROM ended LEFT JOIN (SELECT ${outboxColumns} FROM sent) AS job ON true`
