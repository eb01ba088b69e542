import { describe, expect, test } from 'vitest'
import { checkTemplateSchema } from '../../src/query/templateSchema.ts'

const withField = (field: unknown) => ({ type: 'object', properties: { x: field } })

/** A schema with this many levels of properties, itself being the first. */
function nested(levels: number): object {
  return levels === 1 ? { type: 'object' } : { type: 'object', properties: { x: nested(levels - 1) } }
}

describe('checkTemplateSchema', () => {
  test('takes every keyword that it knows', () => {
    const field = {
      type: ['string', 'null'], title: 't', description: 'd', default: 'a', examples: ['a'], enum: ['a', null], const: 'a', format: 'date', $comment: 'c',
      minLength: 0, maxLength: 9, minimum: -1.5, maximum: 2, exclusiveMinimum: -2, exclusiveMaximum: 3, minItems: 0, maxItems: 4, items: { type: 'integer' },
    }
    const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'x', type: 'object', properties: { x: field }, required: ['x'], additionalProperties: false }
    expect(checkTemplateSchema(schema)).toEqual([])
  })

  test('takes properties without a type, and names that are keywords elsewhere', () => {
    expect(checkTemplateSchema({ properties: { pattern: { type: 'string' }, $ref: {}, 'a/b~c': {} } })).toEqual([])
  })

  test.for([[{}], [{ type: 'string' }], [{ type: ['object'] }], [{ type: 'array', items: {} }], [{ type: 'null', properties: {} }], [{ required: ['x'] }]])(
    'refuses %j, which describes no object',
    ([schema]) => {
      expect(checkTemplateSchema(schema)).toMatchObject([{ path: '/type' }])
    },
  )

  test.for([[null], [true], [1], ['{}'], [[]], [undefined]])('refuses %j, which is no schema', ([schema]) => {
    expect(checkTemplateSchema(schema)).toMatchObject([{ path: '', message: 'must be a schema, which is an object' }])
  })

  test.for(['pattern', '$ref', '$defs', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'patternProperties', 'prefixItems', 'contains', 'uniqueItems', 'multipleOf', '__proto__', 'constructor', ''])(
    'refuses the keyword %j with its path',
    (keyword) => {
      const field: unknown = JSON.parse(`{${JSON.stringify(keyword)}: {}}`)
      const [fault, ...more] = checkTemplateSchema(withField(field))
      expect(more).toEqual([])
      expect(fault?.path).toBe(`/properties/x/${keyword}`)
      expect(fault?.message).toMatch(/^is not supported in a template schema; the keywords are type, properties/)
    },
  )

  test.for([
    ['type', 'text'], ['type', []], ['type', ['string', 'string']], ['type', ['string', 'x']], ['type', null], ['type', 'toString'],
    ['properties', []], ['required', 'x'], ['required', [1]], ['required', ['a', 'a']], ['additionalProperties', {}], ['items', []], ['items', true],
    ['enum', []], ['enum', 'a'], ['examples', 'a'], ['title', 1], ['description', null], ['format', {}], ['$schema', 1], ['$id', 1], ['$comment', 1],
    ['minimum', '1'], ['maximum', null], ['exclusiveMinimum', true], ['exclusiveMaximum', []],
    ['minLength', -1], ['maxLength', 1.5], ['minItems', '1'], ['maxItems', 2 ** 60],
  ] as const)('refuses %s with the value %j', ([keyword, value]) => {
    expect(checkTemplateSchema(withField({ [keyword]: value }))).toMatchObject([{ path: `/properties/x/${keyword}` }])
  })

  test('names faults in lists and odd names by an escaped path', () => {
    const schema = { properties: { 'a/b~c': { items: { properties: { y: { minimum: 'low' } } } } } }
    expect(checkTemplateSchema(schema)).toEqual([{ path: '/properties/a~1b~0c/items/properties/y/minimum', message: 'must be a number' }])
  })

  test('takes 16 levels and refuses 17', () => {
    expect(checkTemplateSchema(nested(16))).toEqual([])
    expect(checkTemplateSchema(nested(17))).toEqual([{ path: '/properties/x'.repeat(16), message: 'is nested deeper than 16 levels' }])
    expect(checkTemplateSchema(nested(5_000))).toHaveLength(1)
  })

  test('reports several faults, and stops at 64', () => {
    expect(checkTemplateSchema({ type: 'object', properties: { a: { pattern: 'x' }, b: 1 }, required: 'x' }).map(({ path }) => path)).toEqual(['/required', '/properties/a/pattern', '/properties/b'])
    expect(checkTemplateSchema({ type: 'object', properties: Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`f${index}`, 1])) })).toHaveLength(64)
  })
})
