import type { Failure } from '../../../contract/sirp/queryRecord.ts'
import { storableJson } from '../../../platform/storableText.ts'
import type { House } from '../../house.ts'
import type { WaitingFor } from './delays.ts'
import type { RecordChunk } from './commandRecords.ts'
import { endQuery } from './ends.ts'
import { outboxColumns, sendNow, unitJobSql, type OutboxJob } from './outbox.ts'
import { LostQuery, type Chunk } from './passes.ts'
import { ownSql, type ClaimedUnit } from './units.ts'
import { wake } from './wakes.ts'

/** Rows of a unit that did not run, and so become a unit of their own. */
export interface WaitingRows {
  readonly firstRow: number
  readonly rowCount: number
  readonly delayMs: number
  /** What holds them back; null where nothing does. */
  readonly waiting: WaitingFor | null
}

/** The records of some rows of a unit. */
export interface UnitRecords {
  readonly command: string
  readonly chunks: readonly RecordChunk[]
  /** The hashes of screenshots, by their input rows. */
  readonly pictures: readonly { readonly index: number; readonly hash: string }[]
}

/** What some rows of a unit came to. */
export interface UnitPart {
  readonly chunks: readonly Chunk[]
  readonly records: UnitRecords
  /** Rows of single runs to keep for other queries. */
  readonly cache: readonly { readonly key: string; readonly rowCount: number; readonly data: Buffer }[]
  readonly cacheTtlS: number
}

/** What all of its rows add to the counts of the stage. */
export interface UnitCounts {
  readonly rows: number
  readonly bytes: number
  readonly cacheHits: number
  readonly retries: number
  readonly completed: number
  readonly failed: number
  readonly skipped: number
}

/** What a unit came to: what is not written yet, and what is left to do. */
export interface UnitEnd extends UnitPart {
  readonly counts: UnitCounts
  readonly waiting: readonly WaitingRows[]
  /** Whether the caller takes the query on where this was the last of its units; otherwise that is a job of its own. */
  readonly goesOn: boolean
}

/** Stores what some rows of a unit came to before it ends. Whoever owns it next writes them anew: nothing is counted yet. */
export async function writeUnitPart(house: House, unit: ClaimedUnit, part: UnitPart): Promise<void> {
  const { rowCount } = await house.pool.query({
    name: `unit-part-${part.chunks.length}`,
    text: `WITH ${ownSql}, ${chunksSql(part.chunks.length, 17)}, ${cacheSql}, ${recordSql} SELECT id FROM own`,
    values: [...partValues(unit, part), ...chunkValues(part)],
  })
  if (rowCount === 0) throw new LostQuery()
}

/** Ends a unit: its rows, its records and what follows from it — the next unit, or the next stage — in one transaction. Answers whether it was the last one. */
export async function finishUnit(house: House, unit: ClaimedUnit, end: UnitEnd): Promise<boolean> {
  const { chunks, waiting, counts, goesOn } = end
  const { rows } = await house.pool.query<OutboxJob & { readonly isLast: boolean }>({
    ...(chunks.length <= 4 ? { name: `unit-finish-${chunks.length}` } : {}), // more are seldom
    text: finishSql(chunks.length),
    values: [...partValues(unit, end), storableJson(waiting), JSON.stringify(counts), goesOn, ...chunkValues(end)],
  })
  const [first] = rows
  if (!first) throw new LostQuery()
  sendNow(house, rows.filter(({ id }) => id !== null))
  wake(house, unit.queryId)
  return first.isLast
}

/** Ends the query of a unit whose command failed, together with the records that say why. */
export async function failUnit(house: House, unit: ClaimedUnit, records: UnitRecords, counts: UnitCounts, failure: Failure): Promise<void> {
  const { queryId, stage, firstRow, fence } = unit
  await house.pool.query({ name: 'unit-records', text: recordsSql, values: [queryId, stage, firstRow, fence, ...recordValues(records), JSON.stringify(counts)] })
  await endQuery(house, queryId, 'failed', failure, unit)
}

/** The parameters of a part, $1 to $16. */
function partValues(unit: ClaimedUnit, { records, cache, cacheTtlS }: UnitPart): unknown[] {
  return [unit.queryId, unit.stage, unit.firstRow, unit.fence, ...recordValues(records), cacheTtlS, unit.setId, ...cacheValues(cache)]
}

/** The parameters of records, $5 to $10. */
function recordValues({ command, chunks, pictures }: UnitRecords): unknown[] {
  return [command, listOf(chunks.map(({ firstIndex }) => firstIndex)), listOf(chunks.map(({ count }) => count)), ...pieces(chunks), JSON.stringify(pictures)]
}

/** The parameters of the cache, $13 to $16. */
function cacheValues(cache: UnitPart['cache']): unknown[] {
  return [Buffer.from(cache.map(({ key }) => key).join(''), 'hex'), listOf(cache.map(({ rowCount }) => rowCount)), ...pieces(cache)]
}

/** Pieces one behind the other, and where each ends, so that a statement stays the same however many there are. */
function pieces(given: readonly { readonly data: Buffer }[]): [string, Buffer] {
  let end = 0
  return [listOf(given.map(({ data }) => (end += data.length))), Buffer.concat(given.map(({ data }) => data))]
}

/** Numbers as an array of PostgreSQL. */
const listOf = (numbers: readonly number[]): string => `{${numbers.join(',')}}`

const chunkValues = ({ chunks }: UnitPart): unknown[] => chunks.flatMap(({ sequence, rowCount, data }) => [sequence, rowCount, data])

function chunksSql(count: number, from: number): string {
  if (count === 0) return 'chunks AS (SELECT $12::uuid)'
  const tuples = Array.from({ length: count }, (_, index) => `($${from + index * 3}::bigint, $${from + index * 3 + 1}::integer, $${from + index * 3 + 2}::bytea)`)
  return `chunks AS (
    INSERT INTO row_chunks (set_id, sequence, row_count, data)
    SELECT $12::uuid, given.* FROM own, (VALUES ${tuples.join(', ')}) AS given
    ON CONFLICT (set_id, sequence) DO UPDATE SET row_count = excluded.row_count, data = excluded.data)`
}

/** The piece of this number of those that lie one behind the other in a parameter. */
function pieceSql(all: number, ends: number): string {
  const start = `coalesce(($${ends}::integer[])[number::integer - 1], 0)`
  return `substring($${all}::bytea FROM ${start} + 1 FOR ($${ends}::integer[])[number::integer] - ${start})`
}

const cacheSql = `
  cached AS (
    INSERT INTO command_cache (key, row_count, data, expires_at)
    SELECT substring($13::bytea FROM 32 * number::integer - 31 FOR 32), row_count, ${pieceSql(16, 15)}, now() + $11 * interval '1 second'
    FROM own, unnest($14::integer[]) WITH ORDINALITY AS piece(row_count, number)
    ON CONFLICT (key) DO NOTHING)`

const recordSql = `
  records AS (
    INSERT INTO command_records (query_id, stage, first_index, count, command, data)
    SELECT own.id, $2, first_index, count, $5::text, ${pieceSql(9, 8)}
    FROM own, unnest($6::integer[], $7::integer[]) WITH ORDINALITY AS piece(first_index, count, number)
    ON CONFLICT (query_id, stage, first_index) DO UPDATE SET count = excluded.count, data = excluded.data),
  pictures AS (
    INSERT INTO query_screenshots (query_id, stage, index, hash) SELECT own.id, $2, picture.* FROM own, json_to_recordset($10::json) AS picture(index integer, hash text)
    ON CONFLICT (query_id, stage, index) DO UPDATE SET hash = excluded.hash)`

const countsSql = (parameter: number): string => `
  counts AS (SELECT * FROM json_to_record($${parameter}::json) AS sums(
    rows bigint, bytes bigint, "cacheHits" integer, retries integer, completed integer, failed integer, skipped integer))`

const countedSql = `
      rows_out = rows_out + counts.rows,
      bytes = query_stages.bytes + counts.bytes,
      cache_hits = cache_hits + counts."cacheHits",
      retries = query_stages.retries + counts.retries,
      jobs = jobs + 1,
      commands_completed = commands_completed + counts.completed,
      commands_failed = commands_failed + counts.failed,
      commands_skipped = commands_skipped + counts.skipped`

const recordsSql = `
  WITH ${ownSql}, ${recordSql}, ${countsSql(11)}
  UPDATE query_stages SET ${countedSql} FROM own, counts WHERE query_id = own.id AND stage = $2`

const finishSql = (chunkCount: number): string => `
  WITH ${ownSql},
  later AS (SELECT "firstRow", "rowCount", "delayMs", waiting FROM own, json_to_recordset($17::json) AS rest("firstRow" integer, "rowCount" integer, "delayMs" integer, waiting json)),
  ${chunksSql(chunkCount, 20)},
  ${countsSql(18)},
  ${cacheSql},
  ${recordSql},
  done AS (
    UPDATE query_units SET status = 'done', lease_until = NULL FROM own WHERE query_id = own.id AND stage = $2 AND first_row = $3 AND NOT EXISTS (SELECT 1 FROM later WHERE "firstRow" = $3)),
  again AS (
    UPDATE query_units SET status = 'queued', row_count = later."rowCount", lease_until = NULL, claims = 0, job_no = job_no + 1, enqueued_at = now(),
      not_before = CASE WHEN later.waiting IS NOT NULL THEN now() + "delayMs" * interval '1 millisecond' END, waiting = later.waiting
    FROM own, later WHERE query_id = own.id AND stage = $2 AND first_row = $3 AND "firstRow" = $3 RETURNING query_units.*),
  rest AS (
    INSERT INTO query_units (query_id, stage, first_row, row_count, queue, status, not_before, waiting)
    SELECT own.id, $2, "firstRow", "rowCount", (SELECT queue FROM query_units WHERE query_id = $1 AND stage = $2 AND first_row = $3), 'queued',
      CASE WHEN later.waiting IS NOT NULL THEN now() + "delayMs" * interval '1 millisecond' END, later.waiting
    FROM own, later WHERE "firstRow" <> $3 RETURNING *),
  next AS (
    UPDATE query_units SET status = 'queued', enqueued_at = now()
    WHERE (query_id, stage, first_row) IN (
      SELECT query_id, stage, first_row FROM own, query_units WHERE query_id = own.id AND stage = $2 AND query_units.status = 'pending'
        ORDER BY first_row LIMIT 1 FOR UPDATE OF query_units SKIP LOCKED)
    RETURNING *),
  counted AS (
    UPDATE query_stages SET
      units_left = units_left - 1 + (SELECT count(*) FROM later)::integer, ${countedSql}
    FROM own, counts WHERE query_id = own.id AND stage = $2 RETURNING query_id, units_left),
  driver AS (
    UPDATE queries SET job_no = job_no + 1, enqueued_at = now(), updated_at = now() FROM counted WHERE queries.id = counted.query_id AND units_left = 0
    RETURNING queries.id, job_no),
  sent AS (
    INSERT INTO outbox (queue, name, job_id, payload, delay_ms)
    SELECT 'query', 'query.run', 'query-' || id || '-' || job_no, json_build_object('queryId', id), 0 FROM driver WHERE NOT $19::boolean
    UNION ALL ${unitJobSql}, 0 FROM next AS unit
    UNION ALL ${unitJobSql}, coalesce(greatest(0, extract(epoch FROM unit.not_before - now()) * 1000), 0)::integer FROM (SELECT * FROM again UNION ALL SELECT * FROM rest) AS unit
    RETURNING *)
  SELECT job.*, EXISTS (SELECT 1 FROM driver) AS "isLast" FROM own LEFT JOIN (SELECT ${outboxColumns} FROM sent) AS job ON true`
