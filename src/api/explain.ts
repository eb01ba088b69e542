import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import type { Fault } from '../platform/errors.ts'

type SchemaNode = Readonly<Record<string, unknown>>

/** Turns a validator's errors into faults that a person can act on; values never appear in them. */
export function explainErrors(schema: TSchema, errors: readonly TLocalizedValidationError[], value: unknown, place?: Fault['in']): Fault[] {
  const faults = new Map<string, Fault>()
  const add = (path: string, message: string): void => {
    if (!faults.has(path)) faults.set(path, { path, message, ...(place ? { in: place } : {}) })
  }
  for (const error of errors) explainError(schema, error, add)
  if (faults.size === 0) add('', typeof value === 'object' && value !== null ? 'does not match its schema' : 'must be an object')
  return [...faults.values()]
}

function explainError(schema: TSchema, error: TLocalizedValidationError, add: (path: string, message: string) => void): void {
  const { keyword, instancePath: path, params } = error
  const union = error.schemaPath.indexOf('/anyOf')
  if (union >= 0) return add(unionPath(error.schemaPath.slice(0, union), path), explanationAt(schema, error.schemaPath.slice(0, union)) ?? 'must have one of the allowed forms')
  if (keyword === 'required') return names(params, 'requiredProperties').forEach((name) => add(`${path}/${escape(name)}`, 'is required'))
  if (keyword === 'additionalProperties') return names(params, 'additionalProperties').forEach((name) => add(`${path}/${escape(name)}`, 'is not a known field'))
  if (keyword === 'boolean') return // the additionalProperties error of the parent names the field
  add(path, explanationAt(schema, error.schemaPath) ?? error.message)
}

/** Errors inside an alternative belong to the field whose schema the union is. */
function unionPath(schemaPath: string, path: string): string {
  const depth = schemaPath.split('/').filter((step, index, steps) => steps[index - 1] === 'properties' || (step === 'items' && steps[index - 1] !== 'properties')).length
  return path.split('/').slice(0, depth + 1).join('/')
}

function names(params: unknown, key: string): string[] {
  const list = (params as Record<string, unknown>)[key]
  return Array.isArray(list) ? list.map(String) : []
}

const escape = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** The `explain` text of the schema at a path such as `#/properties/name`. */
function explanationAt(schema: TSchema, schemaPath: string): string | undefined {
  let node: unknown = schema
  for (const step of schemaPath.split('/').slice(1)) node = (node as SchemaNode | undefined)?.[step]
  const text = (node as SchemaNode | undefined)?.['explain']
  return typeof text === 'string' ? text : undefined
}
