import { Type, type TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { compileCheck } from '../../src/api/input/validate.ts'
import { Closed, FreeObject, Label, OneOf, Uuid } from '../../src/contract/schemas.ts'
import { needsOneOf, needsWhen } from '../../src/contract/secrets/conditions.ts'
import { cpuMsOf } from '../support/cpuMs.ts'

const faultsOf = (schema: TSchema, value: unknown) => compileCheck(schema)(value)
const said = (schema: TSchema, value: unknown) => Object.fromEntries(faultsOf(schema, value).map(({ path, message }) => [path, message]))

const shape = Type.Union(
  [
    Closed({ type: Type.Literal('circle'), config: Closed({ radius: Type.Integer() }) }),
    Closed({ type: Type.Literal('square'), config: Closed({ side: Type.Integer({ explain: 'must be the length of a side' }) }) }),
  ],
  { discriminator: { propertyName: 'type' }, explain: 'must be a shape' },
)

describe('faults of objects', () => {
  test('say nothing of a value that fits', () => {
    expect(faultsOf(Closed({ a: Type.Optional(Type.Integer()) }), {})).toEqual([])
    expect(faultsOf(shape, { type: 'circle', config: { radius: 1 } })).toEqual([])
  })

  test('name every field at every depth, with what is expected there', () => {
    const schema = Closed({ a: Closed({ b: Closed({ c: Type.Integer(), d: Type.Boolean() }) }), e: Type.String() })
    expect(said(schema, { a: { b: { c: 'x', f: 1 }, g: 2 }, h: 3 })).toEqual({
      '/e': 'is required',
      '/h': 'is not a known field',
      '/a/g': 'is not a known field',
      '/a/b/d': 'is required',
      '/a/b/f': 'is not a known field',
      '/a/b/c': 'must be a whole number',
    })
  })

  test.for([null, [], 'x', 1, true, undefined])('say that %j is no object', (value) => {
    expect(said(Closed({ a: Type.Integer() }), value)).toEqual({ '': 'must be an object' })
  })

  test('escape names in paths', () => {
    expect(Object.keys(said(Closed({ 'a/b': Type.Integer() }), { 'a/b': 'x', 'c~d': 1 }))).toEqual(['/a~1b', '/c~0d'])
  })

  test('look up fields by their own names only', () => {
    expect(said(Closed({ a: Type.Optional(Type.Integer()) }), JSON.parse('{"toString": 1, "hasOwnProperty": 2}'))).toEqual({
      '/toString': 'is not a known field',
      '/hasOwnProperty': 'is not a known field',
    })
    expect(said(Closed({ toString: Type.Integer() }), {})).toEqual({ '/toString': 'is required' })
  })

  test('are not confused by fields that are named like keywords', () => {
    const schema = Closed({ anyOf: Closed({ items: Type.Integer() }), properties: Type.Integer(), required: Type.Integer() })
    expect(said(schema, { anyOf: { items: 'x' }, properties: 'x', required: 1 })).toEqual({ '/anyOf/items': 'must be a whole number', '/properties': 'must be a whole number' })
  })

  test('tell rules over several fields in their own words', () => {
    const schema = Closed(
      { a: Type.Optional(Type.String()), b: Type.Optional(Type.String()), c: Type.Optional(Type.String()) },
      { allOf: [needsOneOf(['a'], ['b']), needsWhen('a', ['v'], ['b', 'c'])], dependentRequired: { c: ['b'] } },
    )
    expect(said(schema, {})).toEqual({ '': 'must have a, or b' })
    expect(said(schema, { a: 'v' })).toEqual({ '': 'must have b and c when a is v' })
    expect(said(schema, { a: 'x', c: 'y' })).toEqual({ '/b': 'is required together with c' })
  })

  test('check the names and values of open objects', () => {
    const names = Type.Unsafe({ type: 'object', propertyNames: { type: 'string', pattern: '^[a-z]+$', explain: 'must be a word' }, additionalProperties: { type: 'integer' } })
    expect(said(names, { ok: 1, Bad: 1, wrong: 'x' })).toEqual({ '/Bad': 'must be a word', '/wrong': 'must be a whole number' })
    const pattern = Type.Unsafe({ type: 'object', patternProperties: { '^n_': { type: 'integer' } }, additionalProperties: false })
    expect(said(pattern, { n_a: 'x', b: 1 })).toEqual({ '/n_a': 'must be a whole number', '/b': 'is not a known field' })
    expect(said(Type.Unsafe({ type: 'object', maxProperties: 1 }), { a: 1, b: 2 })).toEqual({ '': 'must not have more than 1 fields' })
    expect(said(Type.Unsafe({ type: 'object', minProperties: 1 }), {})).toEqual({ '': 'must have at least 1 field' })
    expect(faultsOf(FreeObject, { anything: ['goes'] })).toEqual([])
  })
})

describe('faults of arrays', () => {
  const schema = Closed({ list: Type.Array(Closed({ n: Type.Integer({ minimum: 1 }) }), { minItems: 1, maxItems: 3, uniqueItems: true }) })

  test('name the items', () => {
    expect(said(schema, { list: [{ n: 1 }, { n: 0 }, { m: 1 }] })).toEqual({ '/list/1/n': 'must be >= 1', '/list/2/n': 'is required', '/list/2/m': 'is not a known field' })
  })

  test('tell the length and doubles', () => {
    expect(said(schema, { list: [] })).toEqual({ '/list': 'must have at least 1 item' })
    expect(said(schema, { list: [1, 2, 3, 4] })).toEqual({ '/list': 'must not have more than 3 items' })
    expect(said(schema, { list: [{ n: 1 }, { n: 1 }] })).toEqual({ '/list': 'must not have the same item twice' })
    expect(said(schema, { list: { 0: 1 } })).toEqual({ '/list': 'must be an array' })
  })
})

describe('faults of unions', () => {
  test('tell the text of the union, and nothing of its alternatives', () => {
    const rate = Type.Union([Type.Integer(), Closed({ per: Type.Integer() })], { explain: 'must be a rate' })
    expect(said(Closed({ rate: rate, rates: Type.Array(rate) }), { rate: { per: 'x' }, rates: [1, 'x', { q: 1 }] })).toEqual({
      '/rate': 'must be a rate',
      '/rates/1': 'must be a rate',
      '/rates/2': 'must be a rate',
    })
  })

  test('tell plain types where there is no text', () => {
    expect(said(Closed({ a: Type.Union([Type.String(), Type.Null()]) }), { a: 1 })).toEqual({ '/a': 'must be a text or null' })
    expect(said(Closed({ a: Type.Unsafe({ type: ['string', 'null'] }) }), { a: 1 })).toEqual({ '/a': 'must be a text or null' })
    expect(said(Closed({ a: Type.Union([Type.String(), Closed({})]) }), { a: 1 })).toEqual({ '/a': 'must have one of the allowed forms' })
  })

  test('speak of the alternative that was meant, also deep inside', () => {
    const wrong = { type: 'square', config: { side: 'x', radius: 1 } }
    const expected = (path: string) => ({ [`${path}/config/side`]: 'must be the length of a side', [`${path}/config/radius`]: 'is not a known field' })
    expect(said(shape, wrong)).toEqual(expected(''))
    expect(said(Closed({ s: shape }), { s: wrong })).toEqual(expected('/s'))
    expect(said(Closed({ s: Type.Array(shape) }), { s: [wrong] })).toEqual(expected('/s/0'))
  })

  test.for([
    [{ config: {} }, { '/type': 'is required' }],
    [{ type: 'cube', config: {} }, { '/type': 'must be one of circle, square' }],
    [{ type: ['circle'], config: {} }, { '/type': 'must be one of circle, square' }],
    [{ type: 'circle' }, { '/config': 'is required' }],
    ['circle', { '': 'must be an object' }],
    [null, { '': 'must be an object' }],
    [['type'], { '': 'must be an object' }],
  ] as const)('say of %j what chooses the alternative', ([value, expected]) => {
    expect(said(shape, value)).toEqual(expected)
  })
})

describe('faults of single values', () => {
  test.for([
    [Type.Integer(), 1.5, 'must be a whole number'],
    [Type.Number(), '1', 'must be a number'],
    [Type.Boolean(), 'true', 'must be true or false'],
    [Type.String(), 1, 'must be a text'],
    [Type.String({ minLength: 2 }), 'x', 'must not have fewer than 2 characters'],
    [Type.Literal('word'), 'other', 'must be "word"'],
    [Type.Unsafe({ enum: ['a', 'b'] }), 'c', 'must be one of a, b'],
    [OneOf(['a', 'b']), 1, 'must be one of a, b'],
    [Uuid, 'x', 'must be a UUID, such as 3f0e5b5e-6a34-4c1e-9d4a-0b8a4a3a9a52'],
    [Type.With(Label, { allOf: [{ not: { enum: ['new'] }, explain: 'must not be new' }] }), 'new', 'must not be new'],
  ] as const)('%#: say what is expected', ([schema, value, message]) => {
    expect(said(schema, value)).toEqual({ '': message })
  })

  test('name the part of the request where it is not the body', () => {
    expect(compileCheck(Closed({ limit: Type.Integer() }), 'query')({ limit: 'x', page: 1 })).toEqual([
      { path: '/limit', message: 'must be a whole number', in: 'query' },
      { path: '/page', message: 'is not a known field', in: 'query' },
    ])
    expect(compileCheck(shape, 'header')({ type: 'x' })).toMatchObject([{ in: 'header' }])
  })
})

describe('what faults never do', () => {
  test('show a value', () => {
    const secret = 'hunter2'
    const schema = Closed({
      a: Type.Integer(), b: Type.Literal('x'), c: OneOf(['x']), d: Uuid, e: Label, f: Type.Array(Type.Integer()), g: Type.Union([Type.Integer(), Type.Null()]),
      h: shape, i: Type.String({ maxLength: 1 }), j: Type.String({ pattern: '^x$' }), k: Closed({}), l: Type.String({ format: 'email' }), m: Type.Array(Type.String(), { uniqueItems: true }),
    })
    const value = {
      a: secret, b: secret, c: secret, d: secret, e: ` ${secret}`, f: [secret], g: secret, h: { type: secret }, i: secret, j: secret, k: [secret], l: secret, m: [secret, secret],
    }
    const faults = faultsOf(schema, value)
    expect(faults.map(({ path }) => path).toSorted()).toEqual(['/a', '/b', '/c', '/d', '/e', '/f/0', '/g', '/h/type', '/i', '/j', '/k', '/l', '/m'])
    expect(JSON.stringify(faults)).not.toContain(secret)
  })

  test('grow with the body', () => {
    const fields = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`field${index}`, 1]))
    expect(faultsOf(Closed({}), fields)).toHaveLength(64)
    expect(faultsOf(Closed({}), fields)[0]).toEqual({ path: '/field0', message: 'is not a known field' })
    const [fault] = faultsOf(Closed({}), { ['x'.repeat(1_000_000)]: 1 })
    expect(fault?.path.length).toBeLessThan(1_000)
  })

  test.for([
    ['a million wrong items', Type.Array(Type.Integer()), Array.from({ length: 1_000_000 }, () => 'x')],
    ['one wrong item at the end', Type.Array(Type.Union([Type.Integer(), Type.Null()])), [...Array.from({ length: 1_000_000 }, () => 1), 'x']],
    ['many times the same item', Type.Array(Type.String(), { maxItems: 10, uniqueItems: true }), Array.from({ length: 1_000_000 }, () => 'x')],
    ['a union over a long array', Type.Union([Type.Array(Type.Integer()), Type.Null()]), Array.from({ length: 1_000_000 }, () => 'x')],
    ['a quarter million unknown fields', Closed({ a: Type.Optional(Type.Integer()) }), Object.fromEntries(Array.from({ length: 250_000 }, (_, index) => [`f${index}`, 1]))],
  ] as const)('take long for %s', async ([, schema, value]) => {
    expect(await cpuMsOf(() => expect(faultsOf(schema, value).length).toBeGreaterThan(0))).toBeLessThan(1_000)
  })
})
