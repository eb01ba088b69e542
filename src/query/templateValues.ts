import type { Fault } from '../platform/errors.ts'
import { pointerTo } from '../platform/pointer.ts'
import { isObject, type TemplateSchema, type TemplateType } from './templateSchema.ts'

const maxFaults = 64

/** Checks the values of a template against its schema; the faults name each value by its path and never quote it. */
export function validateValues(schema: TemplateSchema, values: unknown): readonly Fault[] {
  const faults: Fault[] = []
  for (const fault of valueFaults({ ...schema, type: 'object' }, values, '')) {
    faults.push(fault)
    if (faults.length === maxFaults) break
  }
  return faults
}

function* valueFaults(schema: TemplateSchema, value: unknown, path: string): Generator<Fault> {
  const types = schema.type === undefined ? [] : [schema.type].flat()
  const isOfType = types.length === 0 || types.some((type) => hasType(value, type))
  if (!isOfType) return yield { path, message: `must be ${types.map((type) => typeWords[type]).join(' or ')}` }
  for (const [broken, message] of limitsOf(schema, value)) if (broken) yield { path, message }
  if (Array.isArray(value)) yield* itemFaults(schema, value, path)
  else if (isObject(value)) yield* fieldFaults(schema, value, path)
}

function* itemFaults({ items }: TemplateSchema, list: readonly unknown[], path: string): Generator<Fault> {
  if (items) for (const [index, item] of list.entries()) yield* valueFaults(items, item, pointerTo(path, index))
}

/** Only fields that the schema and the value have of their own count: what they inherit is nobody's data. */
function* fieldFaults(schema: TemplateSchema, value: Readonly<Record<string, unknown>>, path: string): Generator<Fault> {
  const { properties = {}, required = [], additionalProperties } = schema
  for (const name of required) if (!Object.hasOwn(value, name)) yield { path: pointerTo(path, name), message: 'is required' }
  for (const [name, field] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (known) yield* valueFaults(known, field, pointerTo(path, name))
    else if (additionalProperties === false) yield { path: pointerTo(path, name), message: 'is not a known field' }
  }
}

const typeWords: Readonly<Record<TemplateType, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
}

function hasType(value: unknown, type: TemplateType): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

type Limit = readonly [broken: boolean, message: string]

/** Every limit that concerns the value, with whether it is broken and what it asks. */
function* limitsOf(schema: TemplateSchema, value: unknown): Generator<Limit> {
  if (schema.enum) yield [!isListed(schema.enum, value), 'must be one of the values that its schema lists']
  if (Object.hasOwn(schema, 'const')) yield [canonical(schema.const) !== canonical(value), 'must be the one value that its schema allows']
  if (typeof value === 'number') yield* numberLimits(schema, value)
  if (typeof value === 'string') yield* sizeLimits(lengthOf(value), schema.minLength, schema.maxLength, 'characters')
  if (Array.isArray(value)) yield* sizeLimits(value.length, schema.minItems, schema.maxItems, 'items')
}

function* numberLimits(schema: TemplateSchema, value: number): Generator<Limit> {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  if (minimum !== undefined) yield [value < minimum, `must be at least ${minimum}`]
  if (maximum !== undefined) yield [value > maximum, `must be at most ${maximum}`]
  if (exclusiveMinimum !== undefined) yield [value <= exclusiveMinimum, `must be more than ${exclusiveMinimum}`]
  if (exclusiveMaximum !== undefined) yield [value >= exclusiveMaximum, `must be less than ${exclusiveMaximum}`]
}

function* sizeLimits(size: number, least: number | undefined, most: number | undefined, unit: string): Generator<Limit> {
  if (least !== undefined) yield [size < least, `must have at least ${least} ${unit}`]
  if (most !== undefined) yield [size > most, `must have at most ${most} ${unit}`]
}

/** Characters as people count them in JSON Schema: code points. */
function lengthOf(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)
}

const listed = new WeakMap<readonly unknown[], ReadonlySet<string>>()

/** Looked up by text, and the texts of a list made once: comparing each value with each listed one could take for ever. */
function isListed(list: readonly unknown[], value: unknown): boolean {
  const texts = listed.get(list) ?? new Set(list.map(canonical))
  listed.set(list, texts)
  return texts.has(canonical(value))
}

/** One text for equal JSON values, whatever the order of their fields. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (!isObject(value)) return JSON.stringify(value)
  return `{${Object.keys(value).toSorted().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`
}
