import { Type, type Static } from 'typebox'
import { defineOperations } from '../define.ts'
import { ById, Closed, ListOf, MaybeInstant, OneOf, Page, Uuid } from '../schemas.ts'
import { Command } from './commands.ts'
import { commandKinds } from './queryPlan.ts'
import { Failure } from './queryRecord.ts'
import { ResultsPage, resultStreams, StageResults } from './queryResults.ts'
import { WorkState } from './workState.ts'

const Count = Type.Integer({ minimum: 0 })

/** A stage of a query and how far it is. */
export const Stage = Type.Object({
  stage: Count,
  label: Type.Optional(Type.String()),
  command: Type.String(),
  kind: OneOf(commandKinds),
  status: WorkState,
  rowsIn: Count,
  rowsOut: Count,
  commands: Type.Object({ total: Count, completed: Count, failed: Count, skipped: Count }),
  cached: Type.Boolean(),
  startedAt: MaybeInstant,
  finishedAt: MaybeInstant,
  error: Type.Optional(Failure),
})
export type Stage = Static<typeof Stage>

/** A stage in a path. */
export const ByStage = Closed({
  id: Uuid,
  stage: Type.String({ minLength: 1, maxLength: 1000, description: 'Number of the stage, from 0, or its label.' }),
})

/** The operations on the stages of a query. */
export const stages = defineOperations({
  'sirp.stage.list': {
    method: 'GET',
    path: '/v1/sirp/query/:id/stages',
    summary: 'Retrieve all stages for a query',
    scope: 'queries:read',
    params: ById,
    query: Page,
    reply: { status: 200, body: ListOf(Stage) },
  },
  'sirp.stage.read': {
    method: 'GET',
    path: '/v1/sirp/query/:id/stages/:stage',
    summary: 'Retrieve a stage for a query',
    scope: 'queries:read',
    params: ByStage,
    reply: { status: 200, body: Stage },
  },
  'sirp.stage.results': {
    method: 'GET',
    path: '/v1/sirp/query/:id/stages/:stage/results',
    summary: 'Retrieve results for a query stage',
    description: 'Read like the results of the query. A turbo query, and one with `cleanup`, keeps only the rows of its last stage.',
    scope: 'queries:read',
    params: ByStage,
    query: ResultsPage,
    reply: { status: 200, body: StageResults, stream: resultStreams },
  },
  'sirp.stage.commands': {
    method: 'GET',
    path: '/v1/sirp/query/:id/stages/:stage/commands',
    summary: 'Retrieve commands for a query stage',
    scope: 'queries:read',
    params: ByStage,
    query: Page,
    reply: { status: 200, body: ListOf(Command) },
  },
})
