import type { TSchema } from 'typebox'
import { Errors } from 'typebox/value'

/** The keywords of a schema that faults are told by. */
export interface SchemaNode extends TSchema {
  readonly type?: string | readonly string[]
  readonly explain?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly SchemaNode[]
  readonly allOf?: readonly SchemaNode[]
  readonly required?: readonly string[]
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>
  readonly propertyNames?: SchemaNode
  readonly additionalProperties?: boolean | SchemaNode
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly items?: SchemaNode
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

/** What a schema expects in the place of a value that does not fit it; the value is looked at and never shown. */
export function describeExpected(schema: SchemaNode, value: unknown): string {
  if (schema.explain !== undefined) return schema.explain
  if (schema.anyOf) return describeForms(schema.anyOf)
  if ('const' in schema) return `must be ${JSON.stringify(schema.const)}`
  if (schema.enum) return `must be one of ${schema.enum.join(', ')}`
  if (!hasType(schema, value)) return `must be ${typesOf(schema).map((type) => typeWords[type] ?? type).join(' or ')}`
  if (Array.isArray(value)) return describeLength(schema, value)
  if (typeof value === 'object' && value !== null) return describeFields(schema, value)
  return Errors(schema, value)[0]?.message ?? 'does not match its schema'
}

/** A union of plain types says what they are; forms of other kinds would take too long to tell. */
function describeForms(forms: readonly SchemaNode[]): string {
  const words = forms.map((form) => (typeof form.type === 'string' && form.type !== 'object' && form.type !== 'array' ? typeWords[form.type] : undefined))
  return words.includes(undefined) ? 'must have one of the allowed forms' : `must be ${words.join(' or ')}`
}

function describeLength({ minItems = 0, maxItems = Infinity, uniqueItems }: SchemaNode, { length }: readonly unknown[]): string {
  if (length > maxItems) return `must not have more than ${maxItems} items`
  if (length < minItems) return `must have at least ${minItems} ${minItems === 1 ? 'item' : 'items'}`
  return uniqueItems ? 'must not have the same item twice' : 'does not match its schema'
}

function describeFields({ minProperties = 0, maxProperties = Infinity }: SchemaNode, value: object): string {
  const count = Object.keys(value).length
  if (count > maxProperties) return `must not have more than ${maxProperties} fields`
  if (count < minProperties) return `must have at least ${minProperties} ${minProperties === 1 ? 'field' : 'fields'}`
  return 'does not match its schema'
}

const typesOf = ({ type }: SchemaNode): readonly string[] => (typeof type === 'string' ? [type] : (type ?? []))

function hasType(schema: SchemaNode, value: unknown): boolean {
  const types = typesOf(schema)
  return types.length === 0 || types.some((type) => isOfType(type, value))
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}
