import { Type } from 'typebox'
import { defineOperations } from '../define.ts'
import { ById, Closed, FreeObject, Label, ListOf, OneOf, paging, Patch, Stamps, Version } from '../schemas.ts'
import { QueryText } from './queryDraft.ts'

const fields = {
  name: Label,
  description: Type.String({ minLength: 1, maxLength: 100_000, description: 'What the template is for.' }),
  query: Type.With(QueryText, { description: 'The query; $template.name$ stands where a value goes.' }),
} as const

/** A template as it is created. */
export const TemplateDraft = Closed({
  ...fields,
  templateSchema: Type.Optional(
    Type.With(FreeObject, {
      description:
        'What the values must be: an object schema out of type, properties, required, items, enum, const, default, title, description, examples, minimum, maximum, ' +
        'exclusiveMinimum, exclusiveMaximum, minLength, maxLength, minItems, maxItems, additionalProperties (true or false), format (not checked), $schema, $id and $comment, ' +
        'nested 16 levels deep at most. Any other keyword is a 400 that names it.',
    }),
  ),
})

/** The fields of a template that may change, each of them optional. */
export const TemplatePatch = Patch(Closed(fields))

/** A template as it is answered. */
export const Template = Type.Object({
  ...Stamps,
  version: Version,
  name: Type.String(),
  description: Type.String(),
  query: Type.String(),
  templateSchema: Type.Union([FreeObject, Type.Null()]),
})

/** What templates can be sorted by; a leading `-` turns the order round. */
export const templateOrders = ['name', '-name', 'createdAt', '-createdAt', 'updatedAt', '-updatedAt'] as const

const TemplateFilter = Closed({
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1000, description: 'Only templates whose name contains this text, in capital or small letters.' }),
  ),
  sortBy: Type.Optional(OneOf(templateOrders, { default: 'createdAt', description: 'What to sort by; a leading `-` sorts downwards.' })),
  ...paging,
})

/** The operations that keep templates; those that run them are elsewhere. */
export const templates = defineOperations({
  'sirp.template.list': {
    method: 'GET',
    path: '/v1/sirp/templates',
    summary: 'List query templates',
    scope: 'templates:read',
    query: TemplateFilter,
    reply: { status: 200, body: ListOf(Template) },
  },
  'sirp.template.create': {
    method: 'POST',
    path: '/v1/sirp/templates',
    summary: 'Create a new query template',
    description: 'A name that is taken is a 409. The schema of the values cannot be changed later.',
    scope: 'templates:write',
    body: TemplateDraft,
    reply: { status: 201, body: Template, location: '/v1/sirp/templates/:id' },
    example: {
      name: 'first rows',
      description: 'Counts up and keeps the first rows',
      query: 'range $template.count$ || limit 3',
      templateSchema: { type: 'object', properties: { count: { type: 'integer', minimum: 1 } }, required: ['count'] },
    },
  },
  'sirp.template.read': {
    method: 'GET',
    path: '/v1/sirp/templates/:id',
    summary: 'Retrieve a query template',
    scope: 'templates:read',
    params: ById,
    reply: { status: 200, body: Template },
  },
  'sirp.template.update': {
    method: 'PUT',
    path: '/v1/sirp/templates/:id',
    summary: 'Update a query template',
    description: 'Fields that are left out keep their values; the version counts up even where nothing is given.',
    scope: 'templates:write',
    params: ById,
    body: TemplatePatch,
    reply: { status: 200, body: Template },
    example: { description: 'Counts up and keeps the first three rows' },
  },
  'sirp.template.delete': {
    method: 'DELETE',
    path: '/v1/sirp/templates/:id',
    summary: 'Delete a query template',
    scope: 'templates:write',
    params: ById,
    reply: { status: 204 },
  },
})
