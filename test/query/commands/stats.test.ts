import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'
import { faultsOf, seedRows } from '../../support/seedRows.ts'

const sales = seedRows([
  { shop: 'b', price: 1, tag: 'x' },
  { shop: 'a', price: '2', tag: 'y' },
  { shop: 'b', price: 4, tag: 'x' },
  { shop: 'b', price: null, tag: null },
  { shop: 'a', price: 'none' },
])

/** One aggregate of a list of values. */
const aggregate = async (call: string, values: readonly unknown[]): Promise<unknown> => (await rowsOf(`${seedRows(values.map((c) => ({ c })))} || stats ${call} as result`))[0]?.['result']

describe('stats', () => {
  test('gathers groups in the order of first appearance, with names of its own choice or given ones', async () => {
    expect(await rowsOf(`${sales} || stats count sum(price) as total max(price) by shop`)).toEqual([
      { shop: 'b', count: 3, total: 5, 'max(price)': 4 },
      { shop: 'a', count: 2, total: 2, 'max(price)': 2 },
    ])
  })

  test('puts the columns of the group first, then the aggregates as they are written', async () => {
    expect(Object.keys((await rowsOf(`${sales} || stats max(price) count by tag shop`))[0] ?? {})).toEqual(['tag', 'shop', 'max(price)', 'count'])
  })

  test('answers one row without by, also for no rows at all', async () => {
    expect(await rowsOf(`${sales} || stats count`)).toEqual([{ count: 5 }])
    expect(await rowsOf('range 0 || stats count sum(n) avg(n) min(n) distinct(n) first(n) median(n) stdev(n)')).toEqual([
      { count: 0, 'sum(n)': 0, 'avg(n)': null, 'min(n)': null, 'distinct(n)': 0, 'first(n)': null, 'median(n)': null, 'stdev(n)': null },
    ])
    expect(await rowsOf('range 0 || stats count by n')).toEqual([])
  })

  test.for<[string, unknown[], unknown]>([
    ['sum(c)', [1, '2', null, 'x', true], 3],
    ['sum(c)', [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1], 1],
    ['sum(c)', [1e308, 1e308], null],
    ['avg(c)', [1, '3', null, 'x'], 2],
    ['min(c)', [10, '9', 'x', null], 9],
    ['max(c)', [10, '9', 'x', null], 10],
    ['max(c)', ['10', '9'], 10],
    ['max(c)', ['10', '9', 'b'], 'b'],
    ['min(c)', ['b', 'a', true], 'a'],
    ['max(c)', [false, true, null], true],
    ['distinct(c)', ['x', 'x', 'y', null, 1, '1'], 4],
    ['first(c)', [null, false, 2], false],
    ['last(c)', [1, 'z', null], 'z'],
    ['median(c)', [4, 1, 3, 2], 2.5],
    ['median(c)', [10, 9, 100], 10],
    ['p50(c)', [4, 1, 3, 2], 2.5],
    ['p75(c)', [1, 2, 3, 4, 5], 4],
    ['p99(c)', [0, 100], 99],
    ['p95(c)', [7], 7],
    ['stdev(c)', [2, 4, 4, 4, 5, 5, 7, 9], Math.sqrt(32 / 7)],
    ['stdev(c)', [5], null],
    ['stdev(c)', [1e9 + 1, 1e9 + 2, 1e9 + 3], 1],
  ])('%s of %j is %j', async ([call, values, expected]) => {
    const result = await aggregate(call, values)
    if (typeof expected === 'number') expect(result).toBeCloseTo(expected, 12)
    else expect(result).toBe(expected)
  })

  test('flattens a list', async () => {
    expect(await rowsOf(`${sales} || stats list(tag) list(price) as p by shop`)).toEqual([
      { shop: 'b', 'list(tag).0': 'x', 'list(tag).1': 'x', 'p.0': 1, 'p.1': 4 },
      { shop: 'a', 'list(tag).0': 'y', 'p.0': '2', 'p.1': 'none' },
    ])
  })

  test('refuses a list that makes a row too wide', async () => {
    await expect(rowsOf('range 100001 || stats list(n)')).rejects.toThrow('the list list(n) would have more than 100,000 columns')
  })

  test('takes all values below a prefix', async () => {
    expect(await rowsOf(`${seedRows([{ s: [1, 2] }, { s: [3] }])} || stats sum(s.*) as total`)).toEqual([{ total: 6 }])
  })

  test('groups by several columns, by all below a prefix, and by missing ones as null', async () => {
    expect(await rowsOf(`${seedRows([{ a: 1, b: 'x' }, { a: 1 }, { a: 1, b: null }, { a: '1', b: 'x' }])} || stats count by a b`)).toEqual([
      { a: 1, b: 'x', count: 1 },
      { a: 1, b: null, count: 2 },
      { a: '1', b: 'x', count: 1 },
    ])
    expect(await rowsOf(`${seedRows([{ k: { x: 1, y: 2 } }, { k: { y: 2, x: 1 } }])} || stats count by k.*`)).toEqual([{ 'k.x': 1, 'k.y': 2, count: 2 }])
  })

  test('takes as and by for names where a name stands', async () => {
    expect(await rowsOf(`${seedRows([{ by: 1, shop: 2 }])} || stats count as by sum(by) as as by shop`)).toEqual([{ shop: 2, by: 1, as: 1 }])
    expect(await rowsOf(`${seedRows([{ by: 1 }])} || stats count by by`)).toEqual([{ by: 1, count: 1 }])
  })

  test('reads the names of aggregates without regard to case, and quoted ones for columns with spaces', async () => {
    expect(await rowsOf(`${seedRows([{ 'my price': 2 }])} || stats COUNT 'Sum(my price)'`)).toEqual([{ count: 1, 'sum(my price)': 2 }])
  })

  test('takes names of the prototype for columns', async () => {
    expect(await rowsOf(`seed '[{"__proto__": 2, "constructor": 3}]' || stats sum(constructor) as toString sum(__proto__) as s by __proto__ || stats sum(__proto__) as k sum(s) as s sum(toString) as t`)).toEqual([{ k: 2, s: 2, t: 3 }])
  })

  test('compares the values of all groups in the same way', async () => {
    expect(await rowsOf(`${seedRows([{ g: 1, c: '10' }, { g: 1, c: '9' }, { g: 2, c: 'x' }])} || stats max(c) as c by g`)).toEqual([{ g: 1, c: '9' }, { g: 2, c: 'x' }])
    expect(await rowsOf('range 12 || stats max(n) as last')).toEqual([{ last: 11 }])
  })

  test('keeps no rows: a million of them are counted in a few groups', async () => {
    expect(await rowsOf('range 1000000 || stats count sum(n) as total')).toEqual([{ count: 1_000_000, total: 499_999_500_000 }])
  })

  test.for<[string, string, string]>([
    ['stats total(n)', 'total(n)', 'there is no aggregate total(n)'],
    ['stats p0(n)', 'p0(n)', 'there is no aggregate p0(n)'],
    ['stats sum', 'sum', 'there is no aggregate sum'],
    ['stats sum()', 'sum()', 'there is no aggregate sum()'],
    ['stats constructor(n)', 'constructor(n)', 'there is no aggregate constructor(n)'],
    ['stats by n', 'by', 'stats needs an aggregate'],
    ['stats count by', 'by', 'by needs a column'],
    ['stats count as', 'as', 'as needs a name'],
    ['stats count sum(n) as count', 'sum(n) as count', 'two columns would be named count'],
    ['stats count as n by n', 'count as n', 'two columns would be named n'],
    ['stats', 'stats', 'stats needs aggregates'],
  ])('%s is a fault at %s', ([text, at, message]) => {
    expect(faultsOf(`range 3 || ${text}`)).toMatchObject([{ at, message }])
  })

  test('hints at the aggregate that was meant', () => {
    expect(faultsOf('range 3 || stats summ(n)')).toMatchObject([{ hint: 'sum(n)' }])
    expect(faultsOf('range 3 || stats cont')).toMatchObject([{ hint: 'count' }])
  })
})
