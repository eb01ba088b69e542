import fc, { type Arbitrary } from 'fast-check'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

interface Node {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Node[]
  readonly items?: Node
  readonly properties?: Readonly<Record<string, Node>>
  readonly patternProperties?: Readonly<Record<string, Node>>
  readonly required?: readonly string[]
  readonly examples?: readonly unknown[]
  readonly pattern?: string
  readonly format?: string
  readonly [bound: string]: unknown
}

const bound = (node: Node, name: string, otherwise: number): number => (typeof node[name] === 'number' ? node[name] : otherwise)

/** Bodies that a schema accepts; where its rules are too entangled to meet by chance, its own examples. */
export function bodiesOf(schema: TSchema): Arbitrary<unknown> {
  const compiled = Compile(schema)
  return valuesOf(schema as Node).filter((value) => compiled.Check(value))
}

function valuesOf(node: Node): Arbitrary<unknown> {
  if (node.const !== undefined) return fc.constant(node.const)
  if (node.enum) return fc.constantFrom(...node.enum)
  if (node.examples?.length) return fc.constantFrom(...node.examples)
  if (node.anyOf) return fc.oneof(...node.anyOf.map(valuesOf))
  switch (node.type) {
    case 'string': return texts(node)
    case 'integer': return fc.integer({ min: bound(node, 'minimum', -1e9), max: Math.min(bound(node, 'maximum', 1e9), 2 ** 31 - 1) })
    case 'number': return fc.double({ min: bound(node, 'minimum', bound(node, 'exclusiveMinimum', -1e9) + 1e-9), max: bound(node, 'maximum', 1e9), noNaN: true })
    case 'boolean': return fc.boolean()
    case 'null': return fc.constant(null)
    case 'array': return fc.array(valuesOf(node.items ?? {}), { minLength: bound(node, 'minItems', 0), maxLength: Math.min(bound(node, 'maxItems', 5), 5) })
    case 'object': return objects(node)
    case undefined:
    default: return anything
  }
}

const keys = fc.string({ minLength: 1, maxLength: 12 }).filter((key) => !['__proto__', 'constructor', 'prototype'].includes(key) && !key.includes('\0'))
const plainText = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((text) => !/[\p{Cc}]/u.test(text))
const scalars = fc.oneof(plainText, fc.integer(), fc.boolean(), fc.constant(null))
const anything = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof({ maxDepth: 3 }, scalars, fc.array(tie('any'), { maxLength: 3 }), fc.dictionary(keys, tie('any'), { maxKeys: 3, noNullPrototype: true })),
})).any

function objects(node: Node): Arbitrary<unknown> {
  if (!node.properties && node.patternProperties) return fc.dictionary(keys, valuesOf(Object.values(node.patternProperties)[0] ?? {}), { maxKeys: 3, noNullPrototype: true })
  if (!node.properties) return fc.dictionary(keys, anything, { maxKeys: 4, noNullPrototype: true })
  const fields = Object.fromEntries(Object.entries(node.properties).map(([name, field]) => [name, valuesOf(field)]))
  return fc.record(fields, { requiredKeys: [...(node.required ?? [])], noNullPrototype: true })
}

/** Texts by format or pattern; patterns with look-arounds, which cannot be generated from, get names that they accept. */
function texts(node: Node): Arbitrary<string> {
  if (node.format === 'uuid') return fc.uuid()
  if (node.format === 'date-time') return fc.integer({ min: Date.now() + 86_400_000, max: Date.now() + 1e11 }).map((ms) => new Date(ms).toISOString())
  const minLength = bound(node, 'minLength', 0)
  const maxLength = Math.min(bound(node, 'maxLength', 60), Math.max(60, minLength))
  if (node.pattern === undefined) return fc.string({ unit: 'grapheme', minLength, maxLength }).filter((text) => !text.includes('\0'))
  const pattern = new RegExp(node.pattern)
  const source = /\(\?[!=<]/.test(node.pattern) ? fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,30}[A-Za-z0-9]$/) : fc.stringMatching(pattern)
  return source.filter((text) => pattern.test(text) && text.length <= maxLength)
}
