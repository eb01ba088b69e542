import type { Fault } from '../platform/errors.ts'
import { pointerTo } from '../platform/pointer.ts'

/** The types that a value of a template can have. */
const templateTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const

export type TemplateType = (typeof templateTypes)[number]

/** What a template says of its values: a small part of JSON Schema, walked and never compiled to code. */
export interface TemplateSchema {
  readonly type?: TemplateType | readonly TemplateType[]
  readonly properties?: Readonly<Record<string, TemplateSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly items?: TemplateSchema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

/** Deepest nesting of schemas in schemas. */
const maxDepth = 16
const maxFaults = 64

/** Says what is wrong with the value of a keyword, or null. */
type Rule = (value: unknown) => string | null

const rule = (holds: (value: unknown) => boolean, message: string): Rule => (value) => (holds(value) ? null : message)

const isTypeName = (value: unknown): boolean => templateTypes.some((name) => name === value)
const isDistinct = (list: readonly unknown[]): boolean => new Set(list).size === list.length
const isListOf = (value: unknown, holds: (item: unknown) => boolean): boolean => Array.isArray(value) && value.every(holds) && isDistinct(value)

const text = rule((value) => typeof value === 'string', 'must be text')
const number = rule((value) => typeof value === 'number', 'must be a number')
const size = rule((value) => Number.isSafeInteger(value) && Number(value) >= 0, 'must be a whole number from 0')
const anything: Rule = () => null
const types = rule(
  (value) => isTypeName(value) || (Array.isArray(value) && value.length > 0 && isListOf(value, isTypeName)),
  `must be one of ${templateTypes.join(', ')}, or a list of them without repeats`,
)

const keywords: ReadonlyMap<string, Rule> = new Map([
  ['type', types],
  ['properties', rule(isObject, 'must be an object of schemas')],
  ['required', rule((value) => isListOf(value, (item) => typeof item === 'string'), 'must be a list of names without repeats')],
  ['additionalProperties', rule((value) => typeof value === 'boolean', 'must be true or false')],
  ['items', anything], // it is checked as a schema
  ['enum', rule((value) => Array.isArray(value) && value.length > 0, 'must be a list with at least one value')],
  ...['const', 'default'].map((name): [string, Rule] => [name, anything]),
  ['examples', rule(Array.isArray, 'must be a list')],
  ...['title', 'description', 'format', '$schema', '$id', '$comment'].map((name): [string, Rule] => [name, text]),
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((name): [string, Rule] => [name, number]),
  ...['minLength', 'maxLength', 'minItems', 'maxItems'].map((name): [string, Rule] => [name, size]),
])

const known = [...keywords.keys()].join(', ')

/** Checks that a value is a schema which templates can use; the paths of the faults begin at the schema. */
export function checkTemplateSchema(schema: unknown): readonly Fault[] {
  const faults: Fault[] = []
  for (const fault of topFaults(schema)) {
    faults.push(fault)
    if (faults.length === maxFaults) break
  }
  return faults
}

/** The schema as a whole describes an object; it may leave that unsaid where it lists properties. */
function* topFaults(schema: unknown): Generator<Fault> {
  yield* schemaFaults(schema, '', 1)
  if (!isObject(schema) || schema['type'] === 'object') return
  const isImplied = schema['type'] === undefined && schema['properties'] !== undefined
  if (!isImplied) yield { path: '/type', message: 'must be object, because the values of a template are named' }
}

function* schemaFaults(schema: unknown, path: string, depth: number): Generator<Fault> {
  if (!isObject(schema)) return yield { path, message: 'must be a schema, which is an object' }
  if (depth > maxDepth) return yield { path, message: `is nested deeper than ${maxDepth} levels` }
  for (const [name, value] of Object.entries(schema)) {
    const check = keywords.get(name)
    const message = check ? check(value) : `is not supported in a template schema; the keywords are ${known}`
    if (message !== null) yield { path: pointerTo(path, name), message }
  }
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  for (const [name, child] of Object.entries(properties)) yield* schemaFaults(child, pointerTo(`${path}/properties`, name), depth + 1)
  if (Object.hasOwn(schema, 'items')) yield* schemaFaults(schema['items'], `${path}/items`, depth + 1)
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
