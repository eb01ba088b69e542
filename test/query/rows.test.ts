import { describe, expect, test } from 'vitest'
import { flatten, maxColumns, UnfitRow } from '../../src/query/rows.ts'

const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) })

describe('flatten', () => {
  test.for<[unknown, Record<string, unknown>]>([
    [{ a: 1, b: 'x', c: true, d: null }, { a: 1, b: 'x', c: true, d: null }],
    [{ a: { b: { c: 1 } } }, { 'a.b.c': 1 }],
    [{ a: [1, { b: 2 }, [3]] }, { 'a.0': 1, 'a.1.b': 2, 'a.2.0': 3 }],
    [{ a: [], b: {}, c: [[], {}] }, {}],
    [[1, [2]], { 0: 1, '1.0': 2 }],
    ['x', { value: 'x' }],
    [null, { value: null }],
    [0, { value: 0 }],
    [{ 'a.b': 1, a: { c: 2 } }, { 'a.b': 1, 'a.c': 2 }],
    [{ '': { '': 1 } }, { '.': 1 }],
  ])('makes of %j the row %j', ([value, row]) => {
    expect(flatten(value)).toEqual(row)
  })

  test('keeps the order of the columns', () => {
    expect(Object.keys(flatten({ z: { y: 1, x: 2 }, a: 3 }))).toEqual(['z.y', 'z.x', 'a'])
  })

  test('keeps a column of the name that objects keep for their prototype, and touches no prototype', () => {
    const row = flatten(JSON.parse('{"__proto__":1,"a":{"__proto__":{"polluted":2}}}'))
    expect(Object.entries(row)).toEqual([['__proto__', 1], ['a.__proto__.polluted', 2]])
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test('takes 64 levels and refuses more', () => {
    expect(Object.keys(flatten(nested(64)))).toHaveLength(1)
    expect(() => flatten(nested(65))).toThrow(new UnfitRow('is nested deeper than 64 levels'))
  })

  test('refuses numbers that no double holds', () => {
    for (const value of [Infinity, { a: Infinity }, { a: [-Infinity] }, [Number.NaN]]) expect(() => flatten(value)).toThrow('beyond the range of a double')
  })

  test('refuses rows that would unfold without bound', () => {
    expect(Object.keys(flatten(Array.from({ length: maxColumns }, () => 0)))).toHaveLength(maxColumns)
    expect(() => flatten(Array.from({ length: maxColumns + 1 }, () => 0))).toThrow('more than 100,000 columns')
    expect(() => flatten({ ['k'.repeat(100_000)]: Array.from({ length: 100 }, () => 0) })).toThrow('column names')
  })
})
