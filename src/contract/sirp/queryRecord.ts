import { Type, type Static } from 'typebox'
import { FreeObject, Instant, MaybeInstant, OneOf, Stamps, Uuid } from '../schemas.ts'
import { queryModes } from './queryDraft.ts'

/** The states of a query, in the order in which it can reach them. */
export const queryStates = ['queued', 'running', 'completed', 'failed', 'cancelled', 'expired'] as const

/** Where a query is in its life. */
export const QueryState = OneOf(queryStates)
export type QueryState = Static<typeof QueryState>

/** Why a query, a stage or a command did not succeed. */
export const Failure = Type.Object({
  code: Type.String({ description: 'Stable machine word, as in the answers of errors.' }),
  detail: Type.String({ description: 'What happened and how to mend it.' }),
  stage: Type.Optional(Type.Integer({ minimum: 0, description: 'The stage that failed.' })),
})
export type Failure = Static<typeof Failure>

/** The domain whose policy holds a query back. */
export const Waiting = Type.Object({
  domain: Type.String(),
  since: Instant,
  position: Type.Optional(Type.Integer({ minimum: 0, description: 'How many dispatches to the domain stand before this one.' })),
  nextAt: Type.Optional(Instant),
})

/** How many stages there are, and how many of them are done. */
export const StageCounts = Type.Object({ total: Type.Integer({ minimum: 0 }), completed: Type.Integer({ minimum: 0 }) })

/** Addresses of what belongs to a query. */
export const QueryLinks = Type.Object({
  self: Type.String(),
  status: Type.String(),
  results: Type.String(),
  stages: Type.String(),
  events: Type.String(),
})

/** A query as it is kept. */
export const Query = Type.Object({
  ...Stamps,
  query: Type.String(),
  status: QueryState,
  mode: OneOf(queryModes),
  metadata: Type.With(FreeObject, { description: 'As it was given; an empty object when nothing was.' }),
  cleanup: Type.Boolean(),
  summary: Type.Boolean(),
  minutes: Type.Integer({ minimum: 0 }),
  ttl: Type.Integer({ minimum: 0 }),
  startedAt: MaybeInstant,
  finishedAt: MaybeInstant,
  expiresAt: MaybeInstant,
  stages: StageCounts,
  rows: Type.Integer({ minimum: 0, description: 'Rows of the last stage so far.' }),
  error: Type.Optional(Failure),
  waiting: Type.Optional(Waiting),
  scheduleId: Type.Optional(Type.String()),
  templateId: Type.Optional(Uuid),
  links: QueryLinks,
})
export type Query = Static<typeof Query>

/** Where a query stands. */
export const QueryStatus = Type.Object({
  id: Uuid,
  status: QueryState,
  stages: StageCounts,
  rows: Type.Integer({ minimum: 0 }),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  waiting: Type.Optional(Waiting),
  error: Type.Optional(Failure),
})
export type QueryStatus = Static<typeof QueryStatus>

/** What a start answers at once. */
export const Dispatched = Type.Object({ id: Uuid, status: QueryState, createdAt: Instant, links: QueryLinks })
export type Dispatched = Static<typeof Dispatched>
