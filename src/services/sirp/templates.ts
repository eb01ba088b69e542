import type { Static } from 'typebox'
import type { Template, TemplateDraft, templateOrders } from '../../contract/sirp/templates.ts'
import { invalid } from '../../platform/errors.ts'
import { Prisma, type Template as TemplateRow } from '../../platform/prisma/generated/client.ts'
import { oneRow } from '../../platform/prisma/oneRow.ts'
import { checkTemplateSchema } from '../../query/templateSchema.ts'
import type { HandlersOf } from '../handler.ts'
import type { House } from '../house.ts'
import { Records } from '../records.ts'

type Ids = `sirp.template.${'list' | 'create' | 'read' | 'update' | 'delete'}`

interface Columns {
  readonly name: string
  readonly description: string
  readonly query: string
  readonly templateSchema?: Prisma.InputJsonObject
}

/** Query templates: queries with places for values. */
export function templateHandlers(house: House): HandlersOf<Ids> {
  const templates = new Records<TemplateRow, Columns, Static<typeof Template>>(house, {
    noun: 'query template',
    key: 'id',
    table: (connection) => connection.template,
    stored: oneRow('templates', Prisma.TemplateScalarFieldEnum),
    present,
  })
  const taken = (name: string): string => `There is a query template ${JSON.stringify(name)} already; update that one or choose another name.`

  return {
    'sirp.template.list': ({ query: { name, sortBy = 'createdAt', ...page } }) =>
      templates.list(page, name === undefined ? {} : contains(name), orderOf(sortBy)),
    'sirp.template.read': ({ params }) => templates.read(params.id),
    'sirp.template.create': async (request) => templates.create(request, columns(request.body), taken(request.body.name)),
    'sirp.template.update': (request) => {
      const { name } = request.body
      return templates.update(request, request.params.id, request.body, name === undefined ? {} : { taken: taken(name) })
    },
    'sirp.template.delete': (request) => templates.delete(request, request.params.id),
  }
}

/** Rows whose name contains the text as it is: the signs that stand for anything in LIKE are taken literally. */
function contains(text: string) {
  return { name: { contains: text.replaceAll(/[\\%_]/g, '\\$&'), mode: 'insensitive' } }
}

function orderOf(sortBy: (typeof templateOrders)[number]): Readonly<Record<string, 'asc' | 'desc'>> {
  return sortBy.startsWith('-') ? { [sortBy.slice(1)]: 'desc' } : { [sortBy]: 'asc' }
}

function columns({ templateSchema, ...draft }: Static<typeof TemplateDraft>): Columns {
  if (templateSchema === undefined) return draft
  const faults = checkTemplateSchema(templateSchema)
  if (faults.length > 0) throw invalid(faults.map(({ path, message }) => ({ path: `/templateSchema${path}`, message })))
  // Parsed from a JSON body, so it is JSON through and through.
  return { ...draft, templateSchema: templateSchema as Prisma.InputJsonObject }
}

function present(row: TemplateRow): Static<typeof Template> {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    query: row.query,
    // Only objects that were checked as schemas are ever written.
    templateSchema: row.templateSchema as Record<string, unknown> | null,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
