import { Type, type Static } from 'typebox'
import { defineOperations } from '../define.ts'
import { Rates } from '../gonogo/policies.ts'
import { Closed, FreeObject, OneOf } from '../schemas.ts'
import { QueryText } from './queryDraft.ts'

/** What a command does with rows. */
export const commandKinds = ['generate', 'map', 'reduce', 'expand', 'sink'] as const

/** A place in the text of a query; line and column count from 1. */
export const place = {
  line: Type.Integer({ minimum: 1 }),
  column: Type.Integer({ minimum: 1 }),
  length: Type.Integer({ minimum: 0 }),
} as const

const Position = Type.Object(place)

/** One fault in the text of a query. */
export const QueryFault = Type.Object({
  message: Type.String(),
  ...place,
  expected: Type.Optional(Type.String({ description: 'What could stand there instead.' })),
  hint: Type.Optional(Type.String({ description: 'The nearest known name, or what was expected.' })),
})
export type QueryFault = Static<typeof QueryFault>

/** One stage of a plan. */
export const PlannedStage = Type.Object({
  stage: Type.Integer({ minimum: 0 }),
  label: Type.Optional(Type.String()),
  command: Type.String(),
  kind: OneOf(commandKinds),
  args: Type.Array(Type.Unknown()),
  flags: FreeObject,
  position: Position,
  fusedWith: Type.Optional(Type.Array(Type.Integer({ minimum: 0 }), { description: 'Neighbouring stages that run in the same pass.' })),
})

const Count = Type.Integer({ minimum: 0 })
const Milliseconds = Type.Union([Type.Number({ minimum: 0 }), Type.Null()])

/** A number that is known within limits. */
export const Bounds = Type.Object({ least: Count, most: Type.Union([Count, Type.Null()], { description: 'Null where there is no upper limit.' }) })

/** A policy in force for hosts that a query names. */
export const EstimatedPolicy = Type.Object({
  domain: Type.String({ description: 'Whose dispatches are counted together: the domain of the covering policy, or a host under the default.' }),
  hosts: Type.Array(Type.String()),
  policy: Rates,
  requests: Bounds,
  ms: Type.Union([Milliseconds], { description: 'The least time from the first of these requests to the last; null where the policy blocks them.' }),
})

/** What can be said beforehand about the work of a query. */
export const Estimate = Type.Object(
  {
    stages: Count,
    rows: Type.Array(Bounds, { description: 'Rows that each stage makes.' }),
    requests: Type.Union([Bounds], { description: 'Redirects, repeats after failures and what pages load are not counted.' }),
    jobs: Type.Union([Bounds], { description: 'Jobs that expanding stages are divided into.' }),
    domains: Type.Array(Type.String(), { description: 'Hosts that the text names; those that come from rows are not known.' }),
    policies: Type.Optional(Type.Array(EstimatedPolicy, { description: 'Left out by parseOnly.' })),
    ms: Type.Optional(
      Type.Union([Milliseconds], { description: 'The least time that the policies make all requests take; null where their number or a host is unknown, or a policy blocks one. Left out by parseOnly.' }),
    ),
  },
  { description: 'What can be said beforehand about the work, where nothing comes from the cache.' },
)
export type Estimate = Static<typeof Estimate>

/** What a query will do. */
export const Plan = Type.Object({
  stages: Type.Array(PlannedStage),
  estimate: Estimate,
  warnings: Type.Array(Type.Object({ message: Type.String(), position: Type.Optional(Position) })),
})
export type Plan = Static<typeof Plan>

/** What a piece of the text can be. */
export const pieceKinds = ['command', 'argument', 'flag', 'value', 'token', 'comment', 'separator'] as const

const Piece = Type.Object({
  kind: OneOf(pieceKinds),
  text: Type.String(),
  position: Position,
  documentation: Type.Optional(Type.String()),
  errors: Type.Array(QueryFault),
})

const Candidate = Type.Object({ kind: OneOf(pieceKinds), text: Type.String(), documentation: Type.Optional(Type.String()) })

/** What an editor needs to colour and complete a query. */
export const Decorated = Type.Object({
  pieces: Type.Array(Piece),
  errors: Type.Array(QueryFault),
  candidates: Type.Optional(Type.Array(Candidate, { description: 'What could stand at the cursor; only for multiattribute.' })),
})
export type Decorated = Static<typeof Decorated>

const QueryOnly = Closed({ query: QueryText })

/** The text of an editor, which may be empty as yet. */
const EditedText = Closed({ query: Type.With(QueryText, { minLength: 0, explain: 'must be a text of up to 1048576 characters' }) })

/** The operations that read the text of a query and run nothing. */
export const queryPlans = defineOperations({
  'sirp.query.parse': {
    method: 'POST',
    path: '/v1/sirp/query/parse',
    summary: 'Parse a query string',
    description: 'Answers the plan of the query and runs nothing. A query with faults is a 422 `query_syntax` that lists all of them.',
    scope: 'queries:read',
    pure: true,
    query: Closed({
      parseOnly: Type.Optional(Type.Boolean({ default: false, description: 'Skip the checks that need stored resources.' })),
      addFlags: Type.Optional(Type.Boolean({ default: true, description: 'Fill in the defaults of flags that the text leaves out.' })),
    }),
    body: QueryOnly,
    reply: { status: 200, body: Plan },
    example: { query: 'range 10 || limit 3' },
  },
  'sirp.query.decorate': {
    method: 'POST',
    path: '/v1/sirp/query/parse/:type',
    summary: 'Parse a query string and decorate with attributes',
    description:
      'attribute says what each piece of the text is; multiattribute adds what could stand at the cursor. Never refuses a half-written text.',
    scope: 'queries:read',
    pure: true,
    params: Closed({ type: OneOf(['attribute', 'multiattribute']) }),
    query: Closed({
      cursor: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 1_048_576,
          description: 'Characters before the cursor, for multiattribute; the end of the text unless given.',
        }),
      ),
    }),
    body: EditedText,
    reply: { status: 200, body: Decorated },
    example: { query: 'range 10 || li' },
  },
})
