import type { Failure } from '../../../contract/sirp/queryRecord.ts'
import type { House } from '../../house.ts'
import { decodeJson, encodedSql, encodeJson } from './chunks.ts'

/** One run of a command, as it is recorded. */
export interface CommandRecord {
  readonly index: number
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

/** The records of neighbouring input rows, without a gap, ready to be stored. */
export interface RecordChunk {
  readonly firstIndex: number
  readonly count: number
  readonly data: Buffer
}

/** A record that was read, with its place. */
export interface FoundRecord extends CommandRecord {
  readonly queryId: string
  readonly stage: number
  readonly command: string
}

/** What most runs have in common is not written for each of them. */
const usual = { status: 'completed', attempts: 1, cached: false, warnings: [], error: null, screenshot: null, flight: false } as const

/** Makes chunks of records that are in the order of their input rows. */
export function encodeRecords(records: readonly CommandRecord[]): Promise<RecordChunk[]> {
  const chunks: Promise<RecordChunk>[] = []
  for (let from = 0; from < records.length; ) {
    const firstIndex = records[from]?.index ?? 0
    let to = from + 1
    while (records[to]?.index === firstIndex + to - from) to += 1
    chunks.push(encode(firstIndex, records.slice(from, to)))
    from = to
  }
  return Promise.all(chunks)
}

async function encode(firstIndex: number, records: readonly CommandRecord[]): Promise<RecordChunk> {
  return { firstIndex, count: records.length, data: await encodeJson(records.map(withoutUsual)) }
}

function withoutUsual({ args, flags, status, attempts, rows, bytes, ms, cached, warnings, error, screenshot, flight }: CommandRecord): unknown {
  const isUsual = status === 'completed' && attempts === 1 && !cached && warnings.length === 0 && error === null && screenshot === null && !flight
  return isUsual ? { args, flags, rows, bytes, ms } : { args, flags, status, attempts, rows, bytes, ms, cached, warnings, error, screenshot, flight }
}

/** The data of a chunk whose only record is made by the statement that stores it. */
export const oneRecordSql = (columns: Readonly<Record<string, string>>): string =>
  encodedSql(`json_build_array(json_build_object(${Object.entries(columns).map(([name, sql]) => `'${name}', ${sql}`).join(', ')}))`)

interface FoundChunk {
  readonly stage: number
  readonly first: number
  readonly command: string
  readonly data: Buffer
}

/** A chunk of a page with the number of records before it, and how many there are in all; without a chunk where the page holds none. */
type PageRow = { readonly total: number } & ((FoundChunk & { readonly start: number }) | { readonly data: null; readonly start: null })

/** Some of the records of a query, or of one of its stages, in the order of stages and input rows, and how many there are. */
export async function readRecords({ pool }: Pick<House, 'pool'>, where: { queryId: string; stage?: number }, window: { offset: number; limit: number }): Promise<{ records: FoundRecord[]; total: number }> {
  const { queryId, stage = null } = where
  const { offset, limit } = window
  const { rows } = await pool.query<PageRow>({ name: 'command-records', text: pageSql, values: [queryId, stage, offset, offset + limit] })
  const parts = await Promise.all(rows.flatMap((row) => (row.data === null ? [] : [decodeChunk(queryId, row)])))
  const before = offset - (rows[0]?.start ?? 0)
  return { records: parts.flat().slice(before, before + limit), total: rows[0]?.total ?? 0 }
}

/** The record of one run; undefined where it has not ended. */
export async function readRecord({ pool }: Pick<House, 'pool'>, queryId: string, stage: number, index: number): Promise<FoundRecord | undefined> {
  const { rows } = await pool.query<FoundChunk>({ name: 'command-record', text: oneSql, values: [queryId, stage, index] })
  const records = rows[0] ? await decodeChunk(queryId, rows[0]) : []
  return records.find((record) => record.index === index)
}

async function decodeChunk(queryId: string, { stage, first, command, data }: FoundChunk): Promise<FoundRecord[]> {
  const { value } = await decodeJson(data)
  return (value as CommandRecord[]).map((record, at) => ({ ...usual, ...record, queryId, stage, index: first + at, command })) // written by encodeRecords
}

/** Chunks are short rows whose data lies elsewhere: all of them are counted, and only those of the page are read. */
const pageSql = `
  WITH chunk AS MATERIALIZED (
    SELECT stage, first_index, count, sum(count) OVER (ORDER BY stage, first_index) - count AS start
    FROM command_records WHERE query_id = $1 AND ($2::integer IS NULL OR stage = $2))
  SELECT found.stage, found.first_index AS first, found.command, chunk.start::float8 AS start, found.data, total::float8 AS total
  FROM (SELECT coalesce(sum(count), 0) AS total FROM chunk) AS sums
  LEFT JOIN (chunk JOIN command_records AS found ON found.query_id = $1 AND found.stage = chunk.stage AND found.first_index = chunk.first_index)
    ON chunk.start < $4::bigint AND chunk.start + chunk.count > $3::bigint
  ORDER BY start`

const oneSql = `
  SELECT stage, first_index AS first, command, data FROM command_records
  WHERE query_id = $1 AND stage = $2 AND first_index <= $3 ORDER BY first_index DESC LIMIT 1`
