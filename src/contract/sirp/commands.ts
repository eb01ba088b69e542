import { Type, type Static } from 'typebox'
import { defineOperations } from '../define.ts'
import { ById, Closed, FreeObject, ListOf, Page, Uuid } from '../schemas.ts'
import { ScreenshotHash } from '../screenshot/screenshots.ts'
import { queryFields } from './queryDraft.ts'
import { Failure } from './queryRecord.ts'
import { Held } from './queryResults.ts'
import { WorkState } from './workState.ts'

const Count = Type.Integer({ minimum: 0 })

/** One run of a command: a whole stage, or one row of an expanding one. */
export const Command = Type.Object({
  id: Type.String(),
  stage: Count,
  index: Type.Integer({ minimum: 0, description: 'Place among the commands of its stage.' }),
  command: Type.String(),
  args: Type.Array(Type.Unknown()),
  flags: Type.With(FreeObject, { description: 'Secrets are masked.' }),
  status: WorkState,
  attempts: Count,
  rows: Count,
  bytes: Count,
  ms: Type.Number({ minimum: 0 }),
  cached: Type.Boolean(),
  warnings: Type.Array(Type.String()),
  error: Type.Optional(Failure),
  screenshot: Type.Optional(ScreenshotHash),
  flight: Type.Optional(Type.String({ description: 'Where it can be read what the page of a failed run did last.' })),
})
export type Command = Static<typeof Command>

const Argument = Type.Array(Type.Unknown(), { minItems: 1, explain: 'must be an array whose first item is the value of the argument' })

/** A single command to run as a query of one stage. */
export const CommandDraft = Closed({
  command: Type.String({ minLength: 1, maxLength: 1000, description: 'Name of the command.' }),
  args: Type.Optional(Type.Array(Argument, { default: [], description: 'One inner array an argument; its first item is the value.' })),
  flags: Type.Optional(Type.With(FreeObject, { default: {}, description: 'Flags by name.' })),
  prev: Type.Optional(Type.With(Uuid, { description: 'Id of a completed query whose rows are the input.' })),
  line: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      default: 0,
      description: 'Added to the line of every reported position.',
      explain: 'must be a whole number from 0 to 2147483647',
    }),
  ),
  metadata: queryFields.metadata,
  id: Type.Optional(Type.With(Uuid, { description: 'Becomes the id of the query; a 409 when it is taken.' })),
})
export type CommandDraft = Static<typeof CommandDraft>

/** The operations on single commands. */
export const commands = defineOperations({
  'sirp.command.list': {
    method: 'GET',
    path: '/v1/sirp/query/:id/commands',
    summary: 'Retrieve all commands for a query',
    scope: 'queries:read',
    params: ById,
    query: Page,
    reply: { status: 200, body: ListOf(Command) },
  },
  'sirp.command.dispatch': {
    method: 'POST',
    path: '/v1/sirp/command/dispatch',
    summary: 'Dispatch a command',
    description: 'Runs one command as a query of one stage, and answers like the dispatch of a query. A `prev` that has not completed is a 409.',
    scope: 'queries:write',
    startsWork: true,
    body: CommandDraft,
    reply: { status: 202, body: Held, location: '/v1/sirp/query/:id' },
    example: { command: 'range', args: [[3]], flags: { labelStage: 'numbers' }, metadata: { reason: 'trial' } },
  },
})
