import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'
import { faultsOf, seedRows } from '../../support/seedRows.ts'

const column = async (values: readonly unknown[], flags = ''): Promise<unknown[]> =>
  (await rowsOf(`${seedRows(values.map((v) => ({ v })))} || sort v ${flags}`)).map(({ v }) => v)

describe('sort', () => {
  test('sorts numbers as numbers', async () => {
    expect(await column([10, 9, -1, 100, 0.5])).toEqual([-1, 0.5, 9, 10, 100])
    expect(await column([10, 9, -1, 100], '--order descending')).toEqual([100, 10, 9, -1])
  })

  test('sorts numeric text among numbers as numbers', async () => {
    expect(await column([10, '9', '100', 2])).toEqual([2, '9', 10, '100'])
  })

  test('sorts a column of numeric texts as numbers, and any other text as text', async () => {
    expect(await column(['10', '9', '', '100'])).toEqual(['9', '10', '100', ''])
    expect(await column(['10', '9', 'b', 'a'])).toEqual(['10', '9', 'a', 'b'])
  })

  test('puts numbers before texts and texts before booleans, so that mixed columns have one order', async () => {
    expect(await column([true, 'b', 3, 'a', false, '2'])).toEqual(['2', 3, 'a', 'b', false, true])
  })

  test('puts nulls and missing columns last in both orders', async () => {
    const rows = [{ id: 1, v: null }, { id: 2, v: 5 }, { id: 3 }, { id: 4, v: 7 }]
    expect(await rowsOf(`${seedRows(rows)} || sort v || table id`)).toEqual([{ id: 2 }, { id: 4 }, { id: 1 }, { id: 3 }])
    expect(await rowsOf(`${seedRows(rows)} || sort v --order descending || table id`)).toEqual([{ id: 4 }, { id: 2 }, { id: 1 }, { id: 3 }])
  })

  test('keeps the order of equal rows in both orders', async () => {
    const rows = [{ id: 1, v: 1 }, { id: 2, v: 0 }, { id: 3, v: '1' }, { id: 4, v: 0 }]
    expect(await rowsOf(`${seedRows(rows)} || sort v || table id`)).toEqual([{ id: 2 }, { id: 4 }, { id: 1 }, { id: 3 }])
    expect(await rowsOf(`${seedRows(rows)} || sort v --order descending || table id`)).toEqual([{ id: 1 }, { id: 3 }, { id: 2 }, { id: 4 }])
  })

  test('takes one order for all columns, or one for each', async () => {
    const rows = seedRows([{ a: 1, b: 1 }, { a: 2, b: 2 }, { a: 1, b: 3 }])
    expect(await rowsOf(`${rows} || sort a b --order descending`)).toEqual([{ a: 2, b: 2 }, { a: 1, b: 3 }, { a: 1, b: 1 }])
    expect(await rowsOf(`${rows} || sort a b --order ascending --order descending`)).toEqual([{ a: 1, b: 3 }, { a: 1, b: 1 }, { a: 2, b: 2 }])
  })

  test('refuses a number of orders that fits neither', () => {
    expect(faultsOf('range 3 || sort a b c --order ascending --order descending')).toEqual([{ at: 'sort', message: 'sort has 2 orders for 3 columns' }])
    expect(faultsOf('range 3 || sort n --order up').map(({ at }) => at)).toEqual(['up'])
    expect(faultsOf('range 3 || sort').map(({ message }) => message)).toEqual(['sort needs columns'])
  })

  test('sorts by all columns below a prefix', async () => {
    expect(await rowsOf(`${seedRows([{ k: [2, 1] }, { k: [1, 2] }, { k: [1, 1] }])} || sort k.*`)).toEqual([{ 'k.0': 1, 'k.1': 1 }, { 'k.0': 1, 'k.1': 2 }, { 'k.0': 2, 'k.1': 1 }])
  })

  test('sorts rows of many batches', async () => {
    const rows = await rowsOf('range 5000 || sort n --order descending')
    expect([rows.length, rows[0], rows[1000], rows.at(-1)]).toEqual([5000, { n: 4999 }, { n: 3999 }, { n: 0 }])
  })

  test('sorts by a column that is named like a member of objects', async () => {
    expect(await rowsOf(`seed '[{"__proto__": 2}, {"__proto__": 1}]' || sort __proto__ || sum __proto__`)).toEqual([{ sum: 3 }])
    expect(await rowsOf(`${seedRows([{ constructor: 2 }, { constructor: 1 }])} || sort constructor`)).toEqual([{ constructor: 1 }, { constructor: 2 }])
  })
})
