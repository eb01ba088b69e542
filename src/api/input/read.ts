import type { Context } from 'koa'
import type { Operation } from '../../contract/define.ts'
import { invalid, type Fault } from '../../platform/errors.ts'
import { checkContentType, hasBody, maxBodyBytes, readJson } from './body.ts'
import { coerceQuery, withDefaults } from './coerce.ts'
import { uuidsLowered } from './uuids.ts'
import { compileCheck, type Check } from './validate.ts'

/** The three parts of a request, checked against the schemas of its operation. */
export interface Input {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/** Makes the function that reads and checks the requests of one operation; the schemas are compiled on first use. */
export function inputReader(operation: Operation, timeoutMs: number): (ctx: Context) => Promise<Input> {
  const checks: Partial<Record<'path' | 'query' | 'body', Check>> = {}
  const check = (part: 'path' | 'query' | 'body', schema: Operation['body'], value: unknown): readonly Fault[] => {
    if (!schema) return []
    return (checks[part] ??= compileCheck(schema, part === 'body' ? undefined : part))(value)
  }
  const [lowerParams, lowerBody] = [uuidsLowered(operation.params), uuidsLowered(operation.body)]

  return async (ctx) => {
    const params = ctx['params'] as Record<string, string>
    const query = coerceQuery(operation.query, ctx.querystring)
    const faults = [...check('path', operation.params, params), ...check('query', operation.query ?? noFields, query)]
    if (faults.length > 0) throw invalid(faults)
    const body = await readBody(ctx, operation, timeoutMs)
    const bodyFaults = body === undefined && operation.bodyOptional ? [] : check('body', bodySchema(operation), body)
    if (bodyFaults.length > 0) throw invalid(bodyFaults)
    lowerParams(params)
    lowerBody(body)
    return { params, query: operation.query ? withDefaults(operation.query, query) : query, body }
  }
}

const noFields = { type: 'object', properties: {}, additionalProperties: false } as unknown as NonNullable<Operation['query']>

const hasNone = ({ method }: Operation): boolean => method === 'GET' || method === 'DELETE'

/** A POST or PUT that takes no body may still carry an empty object; a form is checked by its service. */
function bodySchema(operation: Operation): Operation['body'] {
  if (operation.form || hasNone(operation)) return undefined
  return operation.body ?? noFields
}

async function readBody(ctx: Context, operation: Operation, timeoutMs: number): Promise<unknown> {
  if (operation.form) {
    checkContentType(ctx.req, ['application/json', 'multipart/form-data'])
    return undefined
  }
  if (hasNone(operation)) return undefined
  if (hasBody(ctx.req)) return readJson(ctx.req, operation.maxBytes ?? maxBodyBytes, timeoutMs)
  return operation.body ? undefined : {}
}
