import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'

describe('split', () => {
  test('puts the parts in place of the column', async () => {
    expect(JSON.stringify(await rowsOf("seed '{a: 1, t: \"x, y\", b: 2}' || split t ', '"))).toBe('[{"a":1,"t.0":"x","t.1":"y","b":2}]')
  })

  test('with --rows makes a row a part', async () => {
    expect(await rowsOf("seed '{a: 1, t: \"x,,y\"}' || split t , --rows")).toEqual([{ a: 1, t: 'x' }, { a: 1, t: '' }, { a: 1, t: 'y' }])
  })

  test('cuts into whole characters', async () => {
    expect(await rowsOf("addcolumn t 'a😀' || split t ''")).toEqual([{ 't.0': 'a', 't.1': '😀' }])
  })

  test('leaves null and missing columns', async () => {
    expect(await rowsOf("seed '[{t: null}, {a: 1}]' || split t , --rows")).toEqual([{ t: null }, { a: 1 }])
  })

  test('makes many rows of one in batches', async () => {
    expect(await rowsOf(`addcolumn t '${'x,'.repeat(4999)}x' || split t , --rows`)).toHaveLength(5000)
  })

  test('refuses more columns than a row holds', async () => {
    await expect(rowsOf(`addcolumn t '${','.repeat(100_000)}' || split t ,`)).rejects.toThrow('Use --rows')
  })

  test('splits a column of the name __proto__', async () => {
    expect(Object.entries((await rowsOf("addcolumn __proto__ 'a,b' || split __proto__ ,"))[0] ?? {})).toEqual([['__proto__.0', 'a'], ['__proto__.1', 'b']])
  })
})
