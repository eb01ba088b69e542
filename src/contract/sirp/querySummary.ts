import { Type, type Static } from 'typebox'
import { defineOperations } from '../define.ts'
import { ById, OneOf, Uuid } from '../schemas.ts'
import { Failure } from './queryRecord.ts'

const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])
const Count = Type.Integer({ minimum: 0 })

const ColumnSummary = Type.Object({
  column: Type.String(),
  type: OneOf(['string', 'number', 'boolean', 'null', 'mixed']),
  filled: Type.Integer({ minimum: 0, description: 'Rows in which the column has a value.' }),
  distinct: Type.Integer({ minimum: 0, description: 'Different values; beyond 100,000 of them an estimate, some 2 % off at most times.' }),
  min: Scalar,
  max: Scalar,
  mean: Type.Union([Type.Number(), Type.Null()]),
  frequent: Type.Array(Type.Object({ value: Scalar, count: Count }), {
    description: 'The ten most frequent values, most frequent first; where distinct is an estimate the counts are what was seen at least.',
  }),
})

const StageSummary = Type.Object({
  stage: Count,
  label: Type.Optional(Type.String()),
  command: Type.String(),
  rowsIn: Count,
  rowsOut: Count,
  ms: Type.Number({ minimum: 0 }),
  jobs: Count,
  retries: Count,
  bytes: Count,
  cacheHits: Count,
})

/** What the rows and the stages of a finished query look like. */
export const Summary = Type.Object({ id: Uuid, rows: Count, columns: Type.Array(ColumnSummary), stages: Type.Array(StageSummary) })
export type Summary = Static<typeof Summary>

/** Whether a summary can be read: `none` was not asked for, `pending` comes with the end of the query. */
export const SummaryStatus = Type.Object({ id: Uuid, status: OneOf(['none', 'pending', 'completed', 'failed']), error: Type.Optional(Failure) })
export type SummaryStatus = Static<typeof SummaryStatus>

/** The operations on the summary of a query. */
export const querySummaries = defineOperations({
  'sirp.query.summary': {
    method: 'GET',
    path: '/v1/sirp/query/:id/summary',
    summary: 'Retrieve a query summary',
    description: 'A 404 when the query was dispatched without `summary`, a 409 while it is not computed yet.',
    scope: 'queries:read',
    params: ById,
    reply: { status: 200, body: Summary },
  },
  'sirp.query.summaryStatus': {
    method: 'GET',
    path: '/v1/sirp/query/:id/summary/status',
    summary: 'Retrieve a query summary status',
    scope: 'queries:read',
    params: ById,
    reply: { status: 200, body: SummaryStatus },
  },
})
