import { Type, type Static } from 'typebox'
import { defineOperations } from '../define.ts'
import { Closed, FreeObject } from '../schemas.ts'
import { waitRules } from './queryDispatch.ts'
import { queryFields, QueryText } from './queryDraft.ts'
import { Plan } from './queryPlan.ts'
import { FirstPage, Waited } from './queryResults.ts'

/** What stands in for the tokens of a template. */
const Values = Type.With(FreeObject, {
  default: {},
  description: '{"a": 1}, {"template.a": 1} and {"template": {"a": 1}} all fill $template.a$. A missing value is a 422 that names it.',
})

/** A template to run, with its values. */
export const TemplateRunDraft = Closed({
  ...queryFields,
  query: Type.With(QueryText, { description: 'The text of the template, or the id or name of a stored one.' }),
  values: Type.Optional(Values),
})
export type TemplateRunDraft = Static<typeof TemplateRunDraft>

const text = 'range $template.count$ || limit 3'

/** The operations that use a template; those that keep templates are elsewhere. */
export const templateRuns = defineOperations({
  'sirp.template.dispatchWait': {
    method: 'POST',
    path: '/v1/sirp/templates/dispatch/wait',
    summary: 'Dispatch a query template and wait for completion',
    description: waitRules,
    scope: 'queries:write',
    startsWork: true,
    query: FirstPage,
    body: TemplateRunDraft,
    reply: { status: 200, body: Waited },
    example: { query: text, values: { count: 10 } },
  },
  'sirp.template.parse': {
    method: 'POST',
    path: '/v1/sirp/templates/parse',
    summary: 'Parse a query template',
    description: 'Answers the plan of the template with its values filled in, and runs nothing.',
    scope: 'queries:read',
    pure: true,
    body: Closed({ query: QueryText, values: Type.Optional(Values) }),
    reply: { status: 200, body: Plan },
    example: { query: text, values: { count: 10 } },
  },
})
