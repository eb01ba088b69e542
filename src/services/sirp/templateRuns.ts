import { Problem } from '../../platform/errors.ts'
import { parseQuery, type ParsedQuery } from '../../query/plan.ts'
import { missingValues, plainValues, templateTokens } from '../../query/templateFill.ts'
import type { TemplateSchema } from '../../query/templateSchema.ts'
import { validateValues } from '../../query/templateValues.ts'
import type { HandlersOf } from '../handler.ts'
import type { House } from '../house.ts'
import { showPlan, withResources } from './queryPlans.ts'

/** What can be said of a template with its values, without running it. */
export function templateRunHandlers(house: House): HandlersOf<'sirp.template.parse'> {
  return {
    'sirp.template.parse': async ({ body: { query, values = {} } }) => showPlan(house, await fillTemplate(house, query, values), true),
  }
}

/** The template with its values in place: a stored one by id or name, or the text itself; values that do not fit are a 422 that names them. */
export async function fillTemplate(house: House, given: string, values: Readonly<Record<string, unknown>>): Promise<ParsedQuery> {
  return (await fillStoredTemplate(house, given, values)).parsed
}

/** A template that is ready to run. */
export interface FilledTemplate {
  readonly parsed: ParsedQuery
  /** Its values, by plain name. */
  readonly known: Readonly<Record<string, unknown>>
  /** The stored template, where it was not given as text. */
  readonly templateId?: string
}

/** The same, with what is stored of the run. */
export async function fillStoredTemplate(house: House, given: string, givenValues: Readonly<Record<string, unknown>>): Promise<FilledTemplate> {
  const values = plainValues(givenValues)
  const { text, schema, id } = await findTemplate(house, given)
  const unfit = schema ? validateValues(schema, values).map((fault) => ({ ...fault, path: `/values${fault.path}` })) : []
  const [first] = unfit
  if (first) throw new Problem('unprocessable', `${first.path} ${first.message}.`, { faults: unfit })
  const query = parseQuery(text, templateTokens(values))
  const faults = [...query.faults, ...missingValues(query.syntax, values)]
  return { parsed: await withResources(house, query, faults), known: values, ...(id === undefined ? {} : { templateId: id }) }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

async function findTemplate({ db }: House, given: string): Promise<{ text: string; schema?: TemplateSchema; id?: string }> {
  const where = uuid.test(given) ? { id: given } : given.length <= 1000 ? { name: given } : null
  const stored = where && (await db.template.findUnique({ where }))
  if (!stored) return { text: given }
  // Templates are stored only after their schema was checked.
  return { id: stored.id, text: stored.query, ...(stored.templateSchema === null ? {} : { schema: stored.templateSchema as TemplateSchema }) }
}
