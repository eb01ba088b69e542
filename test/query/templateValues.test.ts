import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TemplateSchema } from '../../src/query/templateSchema.ts'
import { validateValues } from '../../src/query/templateValues.ts'
import { cpuMsOf } from '../support/cpuMs.ts'

const messageOf = (schema: TemplateSchema, value: unknown): string | undefined => validateValues({ properties: { x: schema } }, { x: value })[0]?.message

describe('validateValues', () => {
  test.for([
    ['string', ['', 'a'], [1, null, [], {}, true], 'must be text'],
    ['number', [0, -1.5, 1e300], ['1', null, true], 'must be a number'],
    ['integer', [0, -1, 2 ** 53, 1e300], [1.5, '1', null], 'must be a whole number'],
    ['boolean', [true, false], [0, 'true', null], 'must be true or false'],
    ['object', [{}, { a: 1 }], [[], null, 'x'], 'must be an object'],
    ['array', [[], [1]], [{}, null, 'x'], 'must be a list'],
    ['null', [null], [0, '', false, {}], 'must be null'],
  ] as const)('knows the type %s', ([type, right, wrong, message]) => {
    for (const value of right) expect(messageOf({ type }, value)).toBeUndefined()
    for (const value of wrong) expect(messageOf({ type }, value)).toBe(message)
  })

  test('takes any of several types', () => {
    expect(messageOf({ type: ['string', 'null'] }, null)).toBeUndefined()
    expect(messageOf({ type: ['string', 'null'] }, 1)).toBe('must be text or null')
    expect(messageOf({}, [1, { a: null }])).toBeUndefined()
  })

  test.for<[TemplateSchema, unknown[], unknown[], string]>([
    [{ minimum: 2 }, [2, 3, 'a'], [1.9], 'must be at least 2'],
    [{ maximum: 2 }, [2, -5, []], [2.1], 'must be at most 2'],
    [{ exclusiveMinimum: 2 }, [2.1], [2], 'must be more than 2'],
    [{ exclusiveMaximum: 2 }, [1.9], [2], 'must be less than 2'],
    [{ minLength: 2 }, ['ab', '😀😀', 1], ['a', '😀', ''], 'must have at least 2 characters'],
    [{ maxLength: 2 }, ['ab', '😀😀', ''], ['abc', '😀😀a'], 'must have at most 2 characters'],
    [{ minItems: 1 }, [[1], {}, ''], [[]], 'must have at least 1 items'],
    [{ maxItems: 1 }, [[], [1]], [[1, 2]], 'must have at most 1 items'],
    [{ enum: [1, 'a', null, { a: [1], b: 2 }] }, [1, 'a', null, { b: 2, a: [1] }], [2, '1', {}, { a: [1] }, { a: [1], b: 2, c: 3 }, [1]], 'must be one of the values that its schema lists'],
    [{ const: 0 }, [0, -0], [false, '', null, '0'], 'must be the one value that its schema allows'],
    [{ const: null }, [null], [0, {}], 'must be the one value that its schema allows'],
  ])('holds %j', ([schema, right, wrong, message]) => {
    for (const value of right) expect(messageOf(schema, value)).toBeUndefined()
    for (const value of wrong) expect(messageOf(schema, value)).toBe(message)
  })

  test('names each fault by its path', () => {
    const schema: TemplateSchema = {
      properties: { list: { type: 'array', items: { type: 'object', properties: { 'a/b': { type: 'integer' }, c: {} }, required: ['c'], additionalProperties: false } } },
      required: ['name'],
    }
    expect(validateValues(schema, { list: [{ 'a/b': 1, c: 1 }, { 'a/b': 'x', d: 1 }], other: 1 })).toEqual([
      { path: '/name', message: 'is required' },
      { path: '/list/1/c', message: 'is required' },
      { path: '/list/1/a~1b', message: 'must be a whole number' },
      { path: '/list/1/d', message: 'is not a known field' },
    ])
  })

  test.for([null, [], 'x', 1, undefined])('refuses %j in place of the values', (values) => {
    expect(validateValues({ properties: {} }, values)).toEqual([{ path: '', message: 'must be an object' }])
  })

  test('looks at own fields only, in the schema and in the values', () => {
    expect(validateValues({ type: 'object', required: ['toString', 'constructor'] }, {})).toHaveLength(2)
    expect(validateValues({ type: 'object', properties: {}, additionalProperties: false }, { toString: 1, constructor: 2 })).toHaveLength(2)
    const sneaky = JSON.parse('{"__proto__": {"name": "x"}}') as unknown
    expect(validateValues({ type: 'object', required: ['name'] }, sneaky)).toEqual([{ path: '/name', message: 'is required' }])
    expect(validateValues({ type: 'object', properties: {}, additionalProperties: false }, sneaky)).toEqual([{ path: '/__proto__', message: 'is not a known field' }])
  })

  test('stays quick where every value is compared with a long list', async () => {
    const list = Array.from({ length: 100_000 }, (_, index) => ({ index }))
    expect(await cpuMsOf(() => expect(messageOf({ type: 'array', items: { enum: list } }, list)).toBeUndefined())).toBeLessThan(5_000)
  })

  test('stops at 64 faults', () => {
    expect(messageOf({ type: 'array', items: { type: 'string' } }, [1])).toBe('must be text')
    expect(validateValues({ properties: { x: { items: { type: 'string' } } } }, { x: Array.from({ length: 1_000 }, () => 1) })).toHaveLength(64)
  })

  test('finds any JSON value in a list that holds an equal one, and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        const [one, other] = JSON.parse(JSON.stringify([left, right])) as [unknown, unknown]
        expect(messageOf({ enum: [other, one] }, left)).toBeUndefined()
        expect(messageOf({ const: other }, one) === undefined).toBe(isDeepStrictEqual(one, other))
      }),
    )
  })
})
