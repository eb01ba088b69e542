import type pg from 'pg'
import { Batcher } from '../../../platform/batcher.ts'
import { isUnavailable } from '../../../platform/prisma/failures.ts'
import { inDispatch, type SpanFacts } from '../../../platform/tracing.ts'
import type { House } from '../../house.ts'
import { lazily } from './lazily.ts'
import { sendNow, sendSoon, type OutboxJob } from './outbox.ts'
import { perHouse } from '../../perHouse.ts'

/** All that is stored of a query when it is dispatched. */
export interface NewQuery {
  readonly id: string
  readonly apiKeyId: string | null
  readonly requestId: string
  /** What the audit log names as done. */
  readonly operation: string
  readonly query: string
  readonly stages: number
  // Most queries give nothing of the rest, and what is not given is not sent to the database either.
  readonly known?: Readonly<Record<string, unknown>> | undefined
  readonly inputId?: string | undefined
  readonly templateId?: string | undefined
  readonly scheduleId?: string | undefined
  readonly mode?: string | undefined
  readonly cleanup?: boolean | undefined
  readonly summary?: boolean | undefined
  readonly minutes?: number | undefined
  readonly ttl?: number | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/** What a query has that gives nothing else; times in minutes and seconds. */
const usual = { mode: 'comprehensive', minutes: 60, ttl: 86_400 }

/** When a query was stored; null where its id is taken. */
export type Stored = { readonly createdAt: Date } | null

/**
 * Stores a query, its first job and its audit entry in one transaction, and sends the job. Dispatches that come together share
 * a statement and a commit. Where nobody hears of the query before it has ended, the commit of that end keeps all that was written
 * before it: then this one need not wait for the disk, and `keepQuery` must precede any earlier answer.
 */
export function storeQuery(house: House, query: NewQuery, isWaitedFor = false): Promise<Stored> {
  const writer = isWaitedFor ? waitedWriterOf(house) : writerOf(house)
  return inDispatch(query.id, 'query.dispatch', () => dispatchFacts(query), () => writer.add(query))
}

/** Sees to it that a query which was waited for is on the disk before a client hears that it goes on; false where it is gone. */
export async function keepQuery({ pool }: House, id: string): Promise<boolean> {
  const { rowCount } = await pool.query({ name: 'query-keep', text: 'UPDATE queries SET updated_at = updated_at WHERE id = $1', values: [id] })
  return rowCount === 1
}

/** What is told of a dispatch. */
export const dispatchFacts = ({ id, stages, operation }: NewQuery): SpanFacts => ({ 'quern.query_id': id, 'quern.stages': stages, 'quern.operation': operation })

// A second statement of a kind would wait for the first anyway: each holds the lock of the audit log until it is committed.
const bounds = { maxItems: 100, lanes: 1 }
const writerOf = perHouse((house) => new Batcher((queries: readonly NewQuery[]) => storeAll(house, queries, storing), bounds))
const waitedWriterOf = perHouse((house) => new Batcher((queries: readonly NewQuery[]) => storeAll(house, queries, storingLazily), bounds))

/** A query that was stored, with its first job. */
export interface Made extends OutboxJob {
  readonly queryId: string
  readonly createdAt: Date
}

async function storeAll(house: House, queries: readonly NewQuery[], statement: Statement): Promise<Stored[]> {
  try {
    return await storeTogether(house, queries, statement)
  } catch (error) {
    // One query that the database refuses must not take its neighbours with it.
    if (queries.length === 1 || isUnavailable(error)) throw error
    return Promise.all(queries.map(async (query) => (await storeTogether(house, [query], statement))[0] ?? null))
  }
}

async function storeTogether(house: House, queries: readonly NewQuery[], statement: Statement): Promise<Stored[]> {
  const rows = await storeOn(house.pool, queries, statement)
  statement.send(house, rows)
  const made = new Map(rows.map(({ queryId, createdAt }) => [queryId, { createdAt }]))
  return queries.map(({ id }) => {
    const stored = made.get(id) ?? null
    made.delete(id) // of two with one id only the first was stored
    return stored
  })
}

/** The same on a connection whose transaction holds more than that; its jobs are to be sent when it is committed. */
export async function storeOn(connection: pg.Pool | pg.PoolClient, queries: readonly NewQuery[], { name, text }: Omit<Statement, 'send'> = storing): Promise<Made[]> {
  const { rows } = await connection.query<Pick<Made, 'id' | 'jobId' | 'queryId' | 'createdAt'>>({ name, text, values: [JSON.stringify(queries)] })
  return rows.map((made) => ({ ...made, queue: 'query', name: 'query.run', payload: { queryId: made.queryId }, delayMs: 0 }))
}

interface Statement {
  readonly name: string
  readonly text: string
  /** How the first jobs go into the queue once they are stored. */
  readonly send: typeof sendNow
}

const storeSql = (before: string, from: string): string => `
  WITH ${before}given AS (
    SELECT query.* FROM ${from}json_to_recordset($1::json) AS query(
      id uuid, "apiKeyId" uuid, "requestId" text, operation text, query text, stages integer, known json, "inputId" uuid, "templateId" uuid,
      "scheduleId" text, mode text, cleanup boolean, summary boolean, minutes integer, ttl integer, metadata json)),
  made AS (
    INSERT INTO queries (id, api_key_id, request_id, query, stages_total, known, input_id, template_id, schedule_id, mode, cleanup, summary, minutes, ttl, metadata)
    SELECT id, "apiKeyId", "requestId", query, stages, known, "inputId", "templateId", "scheduleId", coalesce(mode, '${usual.mode}'),
      coalesce(cleanup, false), coalesce(summary, false), coalesce(minutes, ${usual.minutes}), coalesce(ttl, ${usual.ttl}), metadata FROM given
    ON CONFLICT (id) DO NOTHING RETURNING id, created_at),
  sent AS (
    INSERT INTO outbox (queue, name, job_id, payload)
    SELECT 'query', 'query.run', 'query-' || id || '-1', json_build_object('queryId', id) FROM made RETURNING id, job_id),
  audited AS (
    INSERT INTO audit_log (actor, operation, target, outcome, request_id, prev_hash, hash)
    SELECT "apiKeyId"::text, operation, id::text, 'done', "requestId", '', '' FROM given JOIN made USING (id) WHERE "apiKeyId" IS NOT NULL)
  SELECT made.id AS "queryId", made.created_at AS "createdAt", sent.id::text, job_id AS "jobId" FROM made JOIN sent ON job_id = 'query-' || made.id || '-1'`

const storing: Statement = { name: 'query-store', text: storeSql('', ''), send: sendSoon }
const storingLazily: Statement = { name: 'query-store-lazily', text: storeSql(`${lazily}, `, 'lazy, '), send: sendNow }
