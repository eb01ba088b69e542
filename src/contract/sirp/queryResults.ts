import { Type, type Static } from 'typebox'
import { defineOperations } from '../define.ts'
import { ById, Closed, OneOf, paging, Uuid } from '../schemas.ts'
import { Dispatched, Failure, QueryLinks, QueryState } from './queryRecord.ts'

/** A flat record: column name to scalar. */
export const Row = Type.Unsafe<Record<string, string | number | boolean | null>>({
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
})
export type Row = Static<typeof Row>

/** A row in the usual form of results. */
export const Content = Type.Object({ content: Row })

/** The forms in which results can be read. */
export const resultModes = ['content', 'rows', 'ndjson', 'csv'] as const

/** How results are read: form, page and order. */
export const ResultsPage = Closed({
  mode: Type.Optional(
    OneOf(resultModes, {
      default: 'content',
      description: 'content wraps each row, rows answers bare objects, ndjson and csv stream everything as such, csv with a column for each of any row.',
    }),
  ),
  offset: paging.offset,
  // No default: a streamed answer without a limit holds all rows, where a page of JSON holds 100.
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'How many rows to answer at most: 100 unless given, for ndjson and csv all.' }),
  ),
  // No default: a sortKey alone asks for sorting too.
  sort: Type.Optional(
    Type.Boolean({ description: 'Sort the rows by sortKey before the page is taken; so is done for a sortKey alone, unless this is false.' }),
  ),
  sortKey: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1000, description: 'Column to sort by, in the order of the command sort; needed where sort is true.' }),
  ),
  sortOrder: Type.Optional(OneOf(['ascending', 'descending', 'asc', 'desc'], { default: 'ascending' })),
})
export type ResultsPage = Static<typeof ResultsPage>

const page = { total: Type.Integer({ minimum: 0 }), offset: Type.Integer({ minimum: 0 }), limit: Type.Integer({ minimum: 1 }) } as const

/** One page of rows; bare objects only where `mode` is rows. */
export const Results = Type.Object({ id: Uuid, ...page, results: Type.Array(Type.Union([Content, Row])) })

/** One page of the rows of one stage. */
export const StageResults = Type.Object({ ...Results.properties, stage: Type.Integer({ minimum: 0 }) })

/** How many rows an answer that waited for its query holds. */
export const FirstPage = Closed({ limit: paging.limit })

/** A query that was waited for, with the first page of its rows. */
export const Waited = Type.Object({
  id: Uuid,
  status: QueryState,
  ...page,
  results: Type.Array(Content),
  error: Type.Optional(Failure),
  links: QueryLinks,
})
export type Waited = Static<typeof Waited>

/** What a start answers: at once, or with the first page of its rows where the answer was held until the end. */
export const Held = Type.Object({
  ...Dispatched.properties,
  total: Type.Optional(page.total),
  offset: Type.Optional(page.offset),
  limit: Type.Optional(page.limit),
  results: Type.Optional(Type.Array(Content)),
  error: Type.Optional(Failure),
})

/** Content types of results that are streamed. */
export const resultStreams = ['application/x-ndjson', 'text/csv'] as const

/** The operation that reads the rows of a query. */
export const queryResults = defineOperations({
  'sirp.query.results': {
    method: 'GET',
    path: '/v1/sirp/query/:id/results',
    summary: 'Retrieve query results',
    description: 'The rows of the last stage of a completed query. Before that a 409 with its state.',
    scope: 'queries:read',
    params: ById,
    query: ResultsPage,
    reply: { status: 200, body: Results, stream: resultStreams },
  },
})
