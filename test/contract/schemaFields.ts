import type { TSchema } from 'typebox'

/** One node of a JSON Schema, as far as the tests look at it. */
export interface SchemaNode {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly secret?: boolean
  readonly additionalProperties?: unknown
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>
  readonly items?: SchemaNode
}

/** A named field somewhere in a schema. */
export interface Field {
  readonly path: string
  readonly name: string
  readonly node: SchemaNode
}

/** Every named field of a schema, at any depth. */
export function fieldsOf(schema: TSchema): Field[] {
  return collect(schema, '')
}

function collect(schema: SchemaNode, path: string): Field[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, node]) => [
    { path: `${path}/${name}`, name, node },
    ...collect(node, `${path}/${name}`),
  ])
  return schema.items ? [...own, ...collect(schema.items, `${path}/*`)] : own
}

/** Every copy of a value in which one of its objects has a field that nobody knows. */
export function withUnknownField(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => withUnknownField(item).map((changed) => value.with(index, changed)))
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, item]) => withUnknownField(item).map((changed) => ({ ...value, [key]: changed })))
  return [{ ...value, surprise: true }, ...inner]
}

/** Whether the name of a field says that its value is a secret. */
export function looksSecret(name: string): boolean {
  return /password|secret|token|key$|private|passphrase|seed$|jwt/i.test(name)
}
