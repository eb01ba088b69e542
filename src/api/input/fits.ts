import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

/** A union whose `discriminator` names the field that chooses among its alternatives. */
export interface Discriminated {
  readonly discriminator: { readonly propertyName: string }
  readonly anyOf: readonly TSchema[]
}

type Test = (value: unknown) => boolean

const tests = new WeakMap<object, Test>()

/** Whether a value fits a schema; each schema is compiled once, when it is first asked for. */
export function fits(schema: TSchema, value: unknown): boolean {
  let test = tests.get(schema)
  if (!test) tests.set(schema, (test = isDiscriminated(schema) ? (given) => fitsMeant(schema, given) : compile(schema)))
  return test(value)
}

function compile(schema: TSchema): Test {
  const compiled = Compile(schema)
  return (value) => compiled.Check(value)
}

function fitsMeant(schema: Discriminated, value: unknown): boolean {
  const meant = alternativeOf(schema, value)
  return meant !== undefined && fits(meant, value)
}

export function isDiscriminated(schema: object): schema is Discriminated {
  return 'discriminator' in schema && 'anyOf' in schema
}

/** The alternative that a value means, or undefined where it means none. */
export function alternativeOf({ discriminator, anyOf }: Discriminated, value: unknown): TSchema | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, discriminator.propertyName)) return undefined
  const word = (value as Record<string, unknown>)[discriminator.propertyName]
  return anyOf.find((schema) => wordOf(schema, discriminator.propertyName) === word)
}

/** The word by which an alternative is chosen. */
export function wordOf(schema: TSchema, property: string): unknown {
  // Alternatives are objects with a literal in that field; a schema of another form has no word, and is never chosen.
  const { properties } = schema as { properties?: Record<string, { const?: unknown }> }
  return properties?.[property]?.const
}
