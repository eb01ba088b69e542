import { Type, type Static } from 'typebox'
import { Closed, FreeObject, OneOf } from '../schemas.ts'

/** The text of a query. */
export const QueryText = Type.String({
  minLength: 1,
  maxLength: 1_048_576,
  description: 'The query: stages joined by ||.',
  explain: 'must be the text of a query, with 1 to 1048576 characters',
})

/** The fields that everything which starts a query takes: dispatches, templates and schedules. */
export const queryFields = {
  query: QueryText,
  cleanup: Type.Optional(
    Type.Boolean({ default: false, description: 'Keep only the final rows at the end: no rows of other stages, no screenshots.' }),
  ),
  summary: Type.Optional(Type.Boolean({ default: false, description: 'Compute a summary of columns and stages at the end.' })),
  minutes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'On a dispatch the longest that the query may run (60 unless given, 0 for no bound); on a schedule its interval.',
      explain: 'must be a whole number of minutes from 0 to 2147483647',
    }),
  ),
  ttl: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 315_360_000,
      default: 86_400,
      description: 'Seconds that the query and its rows are kept after its end; 0 keeps them until they are deleted.',
      explain: 'must be a whole number of seconds from 0 to 315360000 (ten years)',
    }),
  ),
  metadata: Type.Optional(Type.With(FreeObject, { description: 'Your own notes; they come back untouched.' })),
} as const

/** How much of a query is kept while it runs. */
export const queryModes = ['comprehensive', 'turbo'] as const

/** What to run, without the mode: the body of every start but the plain dispatch. */
export const QueryDraft = Closed(queryFields)
export type QueryDraft = Static<typeof QueryDraft>

/** What to run, as the plain dispatch takes it. */
export const DispatchDraft = Closed({
  ...queryFields,
  mode: Type.Optional(
    OneOf(queryModes, {
      default: 'comprehensive',
      description: 'comprehensive keeps the rows of every stage, command records and screenshots; turbo keeps only the rows of the last stage.',
    }),
  ),
})
export type DispatchDraft = Static<typeof DispatchDraft>
