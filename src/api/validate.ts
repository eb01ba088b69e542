import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'
import type { Fault } from '../platform/errors.ts'
import { explainErrors } from './explain.ts'

Settings.Set({ maxErrors: 64 })

/** The faults of a value; none where it fits its schema. */
export type Check = (value: unknown) => readonly Fault[]

/** A schema whose `discriminator` names the field that chooses among its alternatives. */
interface Discriminated {
  readonly discriminator: { readonly propertyName: string }
  readonly anyOf: readonly TSchema[]
}

/** Compiles a schema once; faults come with the path of each field and what is expected there. */
export function compileCheck(schema: TSchema, place?: Fault['in']): Check {
  if (isDiscriminated(schema)) return compileDiscriminated(schema)
  const compiled = Compile(schema)
  return (value) => (compiled.Check(value) ? [] : explainErrors(schema, compiled.Errors(value), value, place))
}

function isDiscriminated(schema: TSchema): schema is TSchema & Discriminated {
  return 'discriminator' in schema && 'anyOf' in schema
}

/** Picks the alternative first, so that the faults are those of what the client meant. */
function compileDiscriminated({ discriminator: { propertyName }, anyOf }: Discriminated): Check {
  const alternatives = new Map<unknown, Check>()
  for (const schema of anyOf) alternatives.set(constantOf(schema, propertyName), lazily(() => compileCheck(schema)))
  const known = [...alternatives.keys()].join(', ')
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [{ path: '', message: 'must be an object' }]
    if (!Object.hasOwn(value, propertyName)) return [{ path: `/${propertyName}`, message: 'is required' }]
    const check = alternatives.get((value as Record<string, unknown>)[propertyName])
    return check ? check(value) : [{ path: `/${propertyName}`, message: `must be one of ${known}` }]
  }
}

function constantOf(schema: TSchema, property: string): unknown {
  const { properties } = schema as unknown as { properties: Record<string, { const?: unknown }> }
  return properties[property]?.const
}

function lazily(make: () => Check): Check {
  let made: Check | undefined
  return (value) => (made ??= make())(value)
}
