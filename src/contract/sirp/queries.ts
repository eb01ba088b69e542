import { Type, type Static } from 'typebox'
import { defineOperations } from '../define.ts'
import { ById, Closed, Instant, ListOf, Page, paging } from '../schemas.ts'
import { Screenshot } from '../screenshot/screenshots.ts'
import { Query, QueryState, QueryStatus } from './queryRecord.ts'

/** A screenshot that a query took, with the stage that took it. */
export const QueryScreenshot = Type.Object({ ...Screenshot.properties, stage: Type.Integer({ minimum: 0 }), createdAt: Instant })
export type QueryScreenshot = Static<typeof QueryScreenshot>

/** Which queries a list shows; all but `status` is beyond the interface. */
export const QueryFilters = Closed({
  ...paging,
  status: Type.Optional(QueryState),
  text: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1000, description: 'Only queries whose text contains this, in capital or small letters.' }),
  ),
  from: Type.Optional(Type.With(Instant, { description: 'Only queries that were created at this time or later.' })),
  to: Type.Optional(Type.With(Instant, { description: 'Only queries that were created before this time.' })),
})

/** The operations on a query that was started. */
export const queries = defineOperations({
  'sirp.query.list': {
    method: 'GET',
    path: '/v1/sirp/query',
    summary: 'Retrieve all queries',
    description: 'Newest first.',
    scope: 'queries:read',
    query: QueryFilters,
    reply: { status: 200, body: ListOf(Query) },
  },
  'sirp.query.read': {
    method: 'GET',
    path: '/v1/sirp/query/:id',
    summary: 'Retrieve a query',
    scope: 'queries:read',
    params: ById,
    reply: { status: 200, body: Query },
  },
  'sirp.query.delete': {
    method: 'DELETE',
    path: '/v1/sirp/query/:id',
    summary: 'Delete a query',
    description: 'Its rows, stages, command records and summary go with it.',
    scope: 'queries:write',
    params: ById,
    reply: { status: 204 },
  },
  'sirp.query.status': {
    method: 'GET',
    path: '/v1/sirp/query/:id/status',
    summary: 'Retrieve a query status',
    scope: 'queries:read',
    params: ById,
    reply: { status: 200, body: QueryStatus },
  },
  'sirp.query.cancel': {
    method: 'POST',
    path: '/v1/sirp/query/:id/cancel',
    summary: 'Cancel a query',
    description: 'Nothing is written for the query once it is cancelled. A query that has already ended is a 409 that names its state.',
    scope: 'queries:write',
    params: ById,
    reply: { status: 200, body: QueryStatus },
  },
  'sirp.query.finalize': {
    method: 'POST',
    path: '/v1/sirp/query/:id/finalize',
    summary: 'End a query and keep its rows',
    description:
      'The query is completed with the rows that its running stage has made so far; stages behind it are skipped. A query that has already ended is a 409 that names its state.',
    scope: 'queries:write',
    origin: 'beyond',
    params: ById,
    reply: { status: 200, body: QueryStatus },
  },
  'sirp.query.screenshots': {
    method: 'GET',
    path: '/v1/sirp/query/:id/screenshots',
    summary: 'Retrieve query screenshots',
    scope: 'queries:read',
    params: ById,
    query: Page,
    reply: { status: 200, body: ListOf(QueryScreenshot) },
  },
  'sirp.query.events': {
    method: 'GET',
    path: '/v1/sirp/query/:id/events',
    summary: 'Follow a query',
    description: 'Server-sent events: status at the beginning and when the query begins to run, stage, progress, and done, after which the stream ends.',
    scope: 'queries:read',
    origin: 'beyond',
    params: ById,
    reply: { status: 200, stream: ['text/event-stream'] },
  },
})
