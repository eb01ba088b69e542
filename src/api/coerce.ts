import type { TObject } from 'typebox'

interface Field {
  readonly type?: string
  readonly default?: unknown
}

/** Query parameters are text: reads numbers and booleans where the schema wants them; what does not read stays text, for the validator to refuse. */
export function coerceQuery(schema: TObject, given: NodeJS.Dict<string | string[]>): Record<string, unknown> {
  const fields = schema.properties as Record<string, Field>
  const values: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const [name, value] of Object.entries(given)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    values[name] = typeof value === 'string' && field ? coerce(field, value) : value
  }
  return values
}

/** The values with the schema's defaults where nothing was given. */
export function withDefaults(schema: TObject, values: Record<string, unknown>): Record<string, unknown> {
  for (const [name, field] of Object.entries(schema.properties as Record<string, Field>)) {
    if (values[name] === undefined && field.default !== undefined) values[name] = field.default
  }
  return values
}

function coerce(field: Field, text: string): unknown {
  if (field.type === 'integer' || field.type === 'number') return /^-?\d{1,300}(\.\d{1,300})?$/.test(text) ? Number(text) : text
  if (field.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}
