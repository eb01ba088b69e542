import type { Static } from 'typebox'
import type { queryModes } from '../../contract/sirp/queryDraft.ts'
import type { Dispatched, Failure, Query, QueryLinks, QueryState, QueryStatus, Waiting } from '../../contract/sirp/queryRecord.ts'
import { Prisma, type Query as QueryRow } from '../../platform/prisma/generated/client.ts'
import { oneRow, readOne } from '../../platform/prisma/oneRow.ts'
import { orNotFound } from '../change.ts'
import type { House } from '../house.ts'

/** What people call a query in messages. */
export const queryNoun = 'query'

/** Columns that no reader of records needs, and some of which are large. */
const unread = { known: true, summaryResult: true } as const

type Read = Omit<QueryRow, keyof typeof unread>

const stored = oneRow('queries', Object.fromEntries(Object.entries(Prisma.QueryScalarFieldEnum).filter(([field]) => !(field in unread))))

/** Selects or leaves out the columns of a query for Prisma. */
export const omitUnread = unread

/** A query as it is kept, or a 404. */
export async function findQuery({ pool }: House, id: string): Promise<Read> {
  return orNotFound(await readOne<Read>(pool, stored, 'id', id), queryNoun, id)
}

/** Addresses of what belongs to a query. */
export function linksOf(id: string): Static<typeof QueryLinks> {
  const self = `/v1/sirp/query/${id}`
  return { self, status: `${self}/status`, results: `${self}/results`, stages: `${self}/stages`, events: `${self}/events` }
}

/** What a start answers at once. */
export function dispatchedOf({ id, status, createdAt }: Pick<QueryRow, 'id' | 'status' | 'createdAt'>): Dispatched {
  return { id, status: stateOf(status), createdAt: createdAt.toISOString(), links: linksOf(id) }
}

/** A query as it is answered. */
export function presentQuery(row: Read): Query {
  return {
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    query: row.query,
    status: stateOf(row.status),
    mode: row.mode as (typeof queryModes)[number], // only dispatch writes it, after its schema
    metadata: (row.metadata ?? {}) as Record<string, unknown>, // an object by the schema of dispatch
    cleanup: row.cleanup,
    summary: row.summary,
    minutes: row.minutes,
    ttl: row.ttl,
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    stages: { total: row.stagesTotal, completed: row.stagesCompleted },
    rows: Number(row.rows),
    ...troublesOf(row),
    ...(row.scheduleId === null ? {} : { scheduleId: row.scheduleId }),
    ...(row.templateId === null ? {} : { templateId: row.templateId }),
    links: linksOf(row.id),
  }
}

/** What holds a query up or ended it, where something did. */
export function troublesOf({ status, error, waiting }: { status: string; error: unknown; waiting: unknown }): Pick<QueryStatus, 'error' | 'waiting'> {
  return {
    ...failureOf(error),
    // A query that has ended waits for nothing, whatever its last owner wrote.
    ...(waiting === null || isEnded(status) ? {} : { waiting: waiting as Static<typeof Waiting> }),
  }
}

/** Why something did not succeed, where it did not; only the engine writes these, in the contract's own shape. */
export function failureOf(error: unknown): { error?: Failure } {
  return error === null ? {} : { error: error as Failure }
}

/** Whether a query is in a state that it does not leave. */
export const isEnded = (status: string): boolean => status !== 'queued' && status !== 'running'

/** The database holds no other word: a constraint of the table says so. */
export const stateOf = (status: string): QueryState => status as QueryState
