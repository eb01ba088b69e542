import { Type, type Static } from 'typebox'
import { defineOperations } from '../define.ts'
import { Closed, FreeObject, Label, OneOf, Uuid } from '../schemas.ts'
import { StreamConfig } from './streamConfig.ts'

/** The rows of a write: given here, or those that a query has stored. */
export const StreamWriteConfig = Closed({
  rows: Type.Optional(Type.Array(FreeObject, { description: 'The rows themselves.' })),
  queryId: Type.Optional(Type.With(Uuid, { description: 'A query whose stored rows are written.' })),
  stage: Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength: 1000 }), Type.Integer({ minimum: 0 })], {
      description: 'The stage of that query, by number from 0 or by label; the last one unless given.',
      explain: 'must be the number of a stage, from 0, or its label',
    }),
  ),
  stream: Type.Optional(StreamConfig),
})

/** Rows to write, and where to. */
export const StreamWriteDraft = Closed({
  name: Type.Optional(Type.With(Label, { description: 'A stream that exists; without it `config.stream` says where the rows go.' })),
  config: StreamWriteConfig,
})
export type StreamWriteDraft = Static<typeof StreamWriteDraft>

/** What was made durable by a write, before anything is delivered. */
export const StreamWrite = Type.Object({
  id: Uuid,
  status: OneOf(['queued', 'running', 'completed', 'failed']),
  name: Type.Union([Type.String(), Type.Null()]),
  store: Type.String(),
  rows: Type.Integer({ minimum: 0 }),
})
export type StreamWrite = Static<typeof StreamWrite>

/** The operation that feeds a stream. */
export const streamWrites = defineOperations({
  'mentos.stream.write': {
    method: 'POST',
    path: '/v1/mentos/streams/write',
    summary: 'Write to a stream',
    description: 'Takes `config.rows`, or the rows of `config.queryId`, and answers what was made durable; delivery follows.',
    scope: 'stores:write',
    startsWork: true,
    body: StreamWriteDraft,
    reply: { status: 202, body: StreamWrite },
    example: { config: { rows: [{ title: 'First' }, { title: 'Second' }], stream: { store: 'warehouse', format: 'ndjson', batch: { rows: 500 } } } },
  },
})
