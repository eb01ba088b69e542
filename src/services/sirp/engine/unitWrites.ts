import type { Failure } from '../../../contract/sirp/queryRecord.ts'
import { storableJson } from '../../../platform/storableText.ts'
import type { House } from '../../house.ts'
import type { WaitingFor } from './delays.ts'
import { endQuery } from './ends.ts'
import { unitJobSql } from './fanOut.ts'
import { outboxColumns, sendNow, type OutboxJob } from './outbox.ts'
import { LostQuery, type Chunk } from './passes.ts'
import { ownSql, type ClaimedUnit } from './units.ts'
import { wake } from './wakes.ts'

/** One run of a command, as it is recorded. */
export interface CommandWrite {
  readonly index: number
  readonly command: string
  readonly args: readonly unknown[]
  readonly flags: Readonly<Record<string, unknown>>
  readonly status: 'completed' | 'failed' | 'skipped'
  readonly attempts: number
  readonly rows: number
  readonly bytes: number
  readonly ms: number
  readonly cached: boolean
  readonly warnings: readonly string[]
  readonly error: Failure | null
  readonly screenshot: string | null
  /** Whether its flight is kept. */
  readonly flight: boolean
}

/** Rows of a unit that did not run, and so become a unit of their own. */
export interface WaitingRows {
  readonly firstRow: number
  readonly rowCount: number
  readonly delayMs: number
  /** What holds them back; null where nothing does. */
  readonly waiting: WaitingFor | null
}

/** What some rows of a unit came to. */
export interface UnitPart {
  readonly chunks: readonly Chunk[]
  readonly commands: readonly CommandWrite[]
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
}

/** Stores what some rows of a unit came to before it ends. Whoever owns it next writes them anew: nothing is counted yet. */
export async function writeUnitPart(house: House, unit: ClaimedUnit, part: UnitPart): Promise<void> {
  const { rowCount } = await house.pool.query({
    name: `unit-part-${part.chunks.length}`,
    text: `WITH ${ownSql}, ${givenSql}, ${chunksSql(part.chunks.length, 20)}, ${cacheSql}, ${recordSql} SELECT id FROM own`,
    values: [...partValues(unit, part), ...chunkValues(part)],
  })
  if (rowCount === 0) throw new LostQuery()
}

/** Ends a unit: its rows, its records and what follows from it — the next unit, or the next stage — in one transaction. */
export async function finishUnit(house: House, unit: ClaimedUnit, end: UnitEnd): Promise<void> {
  const { chunks, waiting, counts } = end
  const { rows } = await house.pool.query<OutboxJob>({
    ...(chunks.length <= 4 ? { name: `unit-finish-${chunks.length}` } : {}), // more are seldom
    text: finishSql(chunks.length),
    values: [...partValues(unit, end), storableJson(waiting), JSON.stringify(counts), ...chunkValues(end)],
  })
  if (rows.length === 0) throw new LostQuery()
  sendNow(house, rows.filter(({ id }) => id !== null))
  wake(house, unit.queryId)
}

/** Ends the query of a unit whose command failed, together with the records that say why. */
export async function failUnit(house: House, unit: ClaimedUnit, commands: readonly CommandWrite[], counts: UnitCounts, failure: Failure): Promise<void> {
  const { queryId, stage, firstRow, fence } = unit
  await house.pool.query({ name: 'unit-records', text: recordsSql, values: [queryId, stage, firstRow, fence, ...recordValues(commands), JSON.stringify(counts)] })
  await endQuery(house, queryId, 'failed', failure, unit)
}

/** The parameters of a part, $1 to $19. */
function partValues(unit: ClaimedUnit, { commands, cache, cacheTtlS }: UnitPart): unknown[] {
  return [unit.queryId, unit.stage, unit.firstRow, unit.fence, ...recordValues(commands), cacheTtlS, unit.setId, ...cacheValues(cache)]
}

/**
 * The parameters of records, $5 to $12. What every run has stands in lists, which PostgreSQL reads many times faster than an object of
 * JSON each; only runs that are not like most have one.
 */
function recordValues(commands: readonly CommandWrite[]): unknown[] {
  const odd = commands.filter(isOdd).map(({ index, status, attempts, cached, warnings, error, screenshot, flight }) => ({ index, status, attempts, cached, warnings, error, screenshot, flight }))
  return [
    commands[0]?.command ?? '',
    listOf(commands.map(({ index }) => index)),
    linesOf(commands.map(({ args }) => args)),
    linesOf(commands.map(({ flags }) => flags)),
    listOf(commands.map(({ rows }) => rows)),
    listOf(commands.map(({ bytes }) => bytes)),
    listOf(commands.map(({ ms }) => ms)),
    storableJson(odd),
  ]
}

const isOdd = ({ status, attempts, cached, warnings, error, screenshot, flight }: CommandWrite): boolean =>
  status !== 'completed' || attempts !== 1 || cached || warnings.length > 0 || error !== null || screenshot !== null || flight

/** The parameters of the cache, $15 to $19: keys and rows lie one behind the other, so that the statement stays the same however many there are. */
function cacheValues(cache: UnitPart['cache']): unknown[] {
  let end = 1
  const starts = cache.map(({ data }) => (end += data.length) - data.length)
  return [
    Buffer.from(cache.map(({ key }) => key).join(''), 'hex'),
    listOf(cache.map(({ rowCount }) => rowCount)),
    listOf(starts),
    listOf(cache.map(({ data }) => data.length)),
    Buffer.concat(cache.map(({ data }) => data)),
  ]
}

/** Numbers as an array of PostgreSQL. */
const listOf = (numbers: readonly number[]): string => `{${numbers.join(',')}}`

/** Values as JSON, a line each: JSON itself has no line breaks. */
const linesOf = (values: readonly unknown[]): string => values.map(storableJson).join('\n')

const chunkValues = ({ chunks }: UnitPart): unknown[] => chunks.flatMap(({ sequence, rowCount, data }) => [sequence, rowCount, data])

function chunksSql(count: number, from: number): string {
  if (count === 0) return 'chunks AS (SELECT $14::uuid)'
  const tuples = Array.from({ length: count }, (_, index) => `($${from + index * 3}::bigint, $${from + index * 3 + 1}::integer, $${from + index * 3 + 2}::bytea)`)
  return `chunks AS (
    INSERT INTO row_chunks (set_id, sequence, row_count, data)
    SELECT $14::uuid, given.* FROM own, (VALUES ${tuples.join(', ')}) AS given
    ON CONFLICT (set_id, sequence) DO UPDATE SET row_count = excluded.row_count, data = excluded.data)`
}

const cacheSql = `
  cached AS (
    INSERT INTO command_cache (key, row_count, data, expires_at)
    SELECT substring($15::bytea FROM 32 * piece.number::integer - 31 FOR 32), piece.row_count, substring($19::bytea FROM piece.at FOR piece.bytes), now() + $13 * interval '1 second'
    FROM own, unnest($16::integer[], $17::integer[], $18::integer[]) WITH ORDINALITY AS piece(row_count, at, bytes, number)
    ON CONFLICT (key) DO NOTHING)`

const givenSql = `
  given (index, command, args, flags, status, attempts, rows, bytes, ms, cached, warnings, error, screenshot, flight) AS (
    SELECT run.index, $5::text, run.args::json, run.flags::json, coalesce(odd.status, 'completed'), coalesce(odd.attempts, 1), run.rows, run.bytes, run.ms,
      coalesce(odd.cached, false), coalesce(odd.warnings, '[]'), odd.error, odd.screenshot, coalesce(odd.flight, false)
    FROM own, unnest($6::integer[], string_to_array($7, E'\\n'), string_to_array($8, E'\\n'), $9::bigint[], $10::bigint[], $11::double precision[]) AS run(index, args, flags, rows, bytes, ms)
    LEFT JOIN json_to_recordset($12::json) AS odd(
      index integer, status text, attempts integer, cached boolean, warnings json, error json, screenshot text, flight boolean) ON odd.index = run.index)`

const recordSql = `
  records AS (
    INSERT INTO query_commands (query_id, stage, index, command, args, flags, status, attempts, rows, bytes, ms, cached, warnings, error, screenshot, flight)
    SELECT own.id, $2, given.* FROM own, given
    ON CONFLICT (query_id, stage, index) DO UPDATE SET status = excluded.status, attempts = excluded.attempts, rows = excluded.rows, bytes = excluded.bytes,
      ms = excluded.ms, cached = excluded.cached, warnings = excluded.warnings, error = excluded.error, screenshot = excluded.screenshot, flight = excluded.flight),
  pictures AS (
    INSERT INTO query_screenshots (query_id, stage, index, hash) SELECT own.id, $2, given.index, given.screenshot FROM own, given WHERE given.screenshot IS NOT NULL
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
  WITH ${ownSql}, ${givenSql}, ${recordSql}, ${countsSql(13)}
  UPDATE query_stages SET ${countedSql} FROM own, counts WHERE query_id = own.id AND stage = $2`

const finishSql = (chunkCount: number): string => `
  WITH ${ownSql},
  ${givenSql},
  later AS (SELECT "firstRow", "rowCount", "delayMs", waiting FROM own, json_to_recordset($20::json) AS rest("firstRow" integer, "rowCount" integer, "delayMs" integer, waiting json)),
  ${chunksSql(chunkCount, 22)},
  ${countsSql(21)},
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
    SELECT 'query', 'query.run', 'query-' || id || '-' || job_no, json_build_object('queryId', id), 0 FROM driver
    UNION ALL ${unitJobSql}, 0 FROM next AS unit
    UNION ALL ${unitJobSql}, coalesce(greatest(0, extract(epoch FROM unit.not_before - now()) * 1000), 0)::integer FROM (SELECT * FROM again UNION ALL SELECT * FROM rest) AS unit
    RETURNING *)
  SELECT job.* FROM own LEFT JOIN (SELECT ${outboxColumns} FROM sent) AS job ON true`
