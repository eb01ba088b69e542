import type { TObject, TSchema } from 'typebox'
import type { Operation } from '../contract/define.ts'
import { operationList } from '../contract/index.ts'
import { errorCatalogue } from '../platform/errors.ts'

type Json = Record<string, unknown>

const groups: Record<string, string> = {
  sirp: 'Queries: parse, dispatch, read; cellar, schedules, templates',
  krull: 'Browser interaction',
  browser: 'Browser interaction, under its other address',
  screenshot: 'Screenshots',
  gonogo: 'Domain policies',
  secrets: 'API keys, checkpoints, credentials, prompts, secrets, stores, users',
  almanac: 'Schedules',
  schedules: 'Schedules, under their other address',
  licorice: 'Licenses',
  mentos: 'Streams',
  jobs: 'Jobs on the queues',
  workers: 'Worker processes',
  audit: 'Who changed what',
  system: 'Health and this description',
}

/** The whole interface as OpenAPI 3.1, made from the operation table. */
export function buildOpenApi(authScheme: string): Json {
  const paths: Record<string, Json> = {}
  for (const [id, operation] of operationList) {
    const path = operation.path.replace(/:([A-Za-z]+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(id, operation) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quern',
      version: '1.3.0',
      summary: 'Turns web pages and APIs into rows.',
      description: `Send your key with every request: \`Authorization: ${authScheme} <API_KEY>\`. Errors are \`application/problem+json\` with a stable \`code\`.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(groups).map(([name, description]) => ({ name, description })),
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'Authorization', description: `\`${authScheme} <API_KEY>\`` } },
      schemas: { Problem: problemSchema },
    },
  }
}

function describe(id: string, operation: Operation): Json {
  const own = operation.ownScope === undefined ? '' : ` For what its key has started itself, \`${operation.ownScope}\` suffices.`
  const facts = [operation.description, operation.scope === 'public' ? 'Needs no key.' : `Needs the scope \`${operation.scope}\`.${own}`]
  return {
    operationId: id,
    tags: [id.slice(0, id.indexOf('.'))],
    summary: operation.summary,
    description: facts.filter(Boolean).join('\n\n'),
    ...(operation.scope === 'public' ? { security: [] } : {}),
    parameters: [...parametersOf('path', operation.params), ...parametersOf('query', operation.query)],
    ...(operation.body ? { requestBody: requestBody(operation) } : {}),
    responses: responses(operation),
  }
}

function parametersOf(place: 'path' | 'query', schema: TObject | undefined): Json[] {
  if (!schema) return []
  const required = new Set((schema as { required?: string[] }).required ?? [])
  return Object.entries(schema.properties as Record<string, TSchema>).map(([name, field]) => {
    const { description, ...rest } = clean(field) as Json
    return { name, in: place, required: place === 'path' || required.has(name), ...(description ? { description } : {}), schema: rest }
  })
}

function requestBody({ body, form, bodyOptional, example }: Operation): Json {
  const json = { schema: clean(body), ...(example === undefined ? {} : { example }) }
  return { required: !bodyOptional, content: { 'application/json': json, ...(form ? { 'multipart/form-data': { schema: clean(form) } } : {}) } }
}

function responses({ reply, scope }: Operation): Json {
  const content = reply.stream
    ? Object.fromEntries(reply.stream.map((type) => [type, { schema: { type: 'string' } }]))
    : reply.body && { 'application/json': { schema: clean(reply.body) } }
  const headers = reply.location === undefined ? {} : { headers: locationHeader }
  return {
    [reply.status]: { description: statusWords[reply.status], ...headers, ...(content ? { content } : {}) },
    ...(reply.accepted ? { 202: { description: statusWords[202], headers: locationHeader, content: { 'application/json': { schema: clean(reply.accepted.body) } } } } : {}),
    ...(scope === 'public' ? {} : { 401: problem('No valid API key'), 403: problem('The key lacks the scope') }),
    default: problem('A problem'),
  }
}

const locationHeader = { Location: { schema: { type: 'string' }, description: 'Address of what was made.' } }

const statusWords = { 200: 'Done', 201: 'Created', 202: 'Accepted', 204: 'Deleted' } as const

const problem = (description: string): Json => ({ description, content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } })

const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: Object.keys(errorCatalogue) },
    requestId: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' }, in: { type: 'string', enum: ['path', 'query', 'header'] } },
      },
    },
  },
}

/** Our own keywords steer validation and masking; the description says the same in words. */
function clean(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(clean)
  if (typeof schema !== 'object' || schema === null) return schema
  const { explain, secret, ...rest } = schema as Json
  const notes = [rest['description'], explain && `It ${String(explain)}.`, secret && 'Never shown again.'].filter(Boolean)
  const cleaned = mapValues(rest, (value, keyword) => {
    if (keyword === 'default' || keyword === 'examples' || keyword === 'enum' || keyword === 'const') return value
    return keyword === 'properties' || keyword === 'patternProperties' ? mapValues(value as Json, clean) : clean(value)
  })
  return { ...cleaned, ...(notes.length > 0 ? { description: notes.join(' ') } : {}), ...(secret ? { writeOnly: true } : {}) }
}

const mapValues = (object: Json, change: (value: unknown, key: string) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]))
