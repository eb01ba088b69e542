import type { TObject } from 'typebox'
import { invalid, type Fault } from '../../platform/errors.ts'
import { pointerTo } from '../../platform/pointer.ts'

const maxFaults = 64

interface Field {
  readonly type?: string
  readonly default?: unknown
}

/** Query parameters are text: reads numbers and booleans where the schema wants them; what does not read stays text, for the validator to refuse. */
export function coerceQuery(schema: TObject | undefined, querystring: string): Record<string, unknown> {
  const fields = (schema?.properties ?? {}) as Record<string, Field>
  const values: Record<string, unknown> = {}
  const faults = new Map<string, Fault>()
  const refuse = (name: string, message: string) => faults.set(name, { in: 'query', path: pointerTo('', name), message })
  for (const [name, text] of new URLSearchParams(querystring)) {
    if (name === '__proto__') refuse(name, 'is not a known field') // the validator does not look at this one
    else if (Object.hasOwn(values, name)) refuse(name, 'must be given once')
    else values[name] = Object.hasOwn(fields, name) ? coerce(fields[name], text) : text
  }
  if (faults.size > 0) throw invalid([...faults.values()].slice(0, maxFaults))
  return values
}

/** The values with the schema's defaults where nothing was given. */
export function withDefaults(schema: TObject, values: Record<string, unknown>): Record<string, unknown> {
  for (const [name, field] of Object.entries(schema.properties as Record<string, Field>)) {
    if (values[name] === undefined && field.default !== undefined) values[name] = field.default
  }
  return values
}

function coerce(field: Field | undefined, text: string): unknown {
  if (field?.type === 'integer' || field?.type === 'number') return /^-?\d{1,300}(\.\d{1,300})?$/.test(text) ? Number(text) : text
  if (field?.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}
