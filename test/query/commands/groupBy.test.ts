import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'
import { seedRows } from '../../support/seedRows.ts'

describe('groupBy', () => {
  const rows = seedRows([{ shop: 'b', price: 1 }, { shop: 'a', price: 2 }, { shop: 'b', price: 3, note: 'x' }])

  test('makes a row a group, with every column of its rows below _group', async () => {
    expect(await rowsOf(`${rows} || groupBy shop`)).toEqual([
      { shop: 'b', '_group.0.shop': 'b', '_group.0.price': 1, '_group.1.shop': 'b', '_group.1.price': 3, '_group.1.note': 'x' },
      { shop: 'a', '_group.0.shop': 'a', '_group.0.price': 2 },
    ])
  })

  test('groups by several columns and by all below a prefix', async () => {
    const nested = seedRows([{ k: { a: 1, b: 1 }, v: 1 }, { k: { a: 1, b: 2 }, v: 2 }, { k: { b: 1, a: 1 }, v: 3 }])
    expect(await rowsOf(`${nested} || groupBy k.a k.b || table _group.0.v _group.1.v`)).toEqual([{ '_group.0.v': 1, '_group.1.v': 3 }, { '_group.0.v': 2 }])
    expect(await rowsOf(`${nested} || groupBy k.* || table k.a _group.1.v`)).toEqual([{ 'k.a': 1, '_group.1.v': 3 }, { 'k.a': 1 }])
  })

  test('takes rows without the column for one group', async () => {
    expect(await rowsOf(`${seedRows([{ v: 1 }, { v: 2, a: null }])} || groupBy a || table a _group.1.v`)).toEqual([{ a: null, '_group.1.v': 2 }])
  })

  test('of no rows makes none', async () => {
    expect(await rowsOf('range 0 || groupBy n')).toEqual([])
  })

  test('refuses a group that makes a row too wide', async () => {
    await expect(rowsOf('range 100001 || groupBy none')).rejects.toThrow('A row of groupBy would have more than 100,000 columns')
  })
})
