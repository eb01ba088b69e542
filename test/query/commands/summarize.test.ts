import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'
import { seedRows } from '../../support/seedRows.ts'

describe('summarize', () => {
  test('tells of each column its type, filled and distinct values, bounds, mean and most frequent values', async () => {
    const rows = [{ a: 3, b: 'x' }, { a: 1, b: '' }, { a: 1, b: 'y', c: null }, { a: null, b: 'x', c: true }]
    expect(await rowsOf(`${seedRows(rows)} || summarize`)).toEqual([
      { column: 'a', type: 'number', filled: 3, distinct: 2, min: 1, max: 3, mean: 5 / 3, 'top.0.value': 1, 'top.0.count': 2, 'top.1.value': 3, 'top.1.count': 1 },
      { column: 'b', type: 'string', filled: 3, distinct: 2, min: 'x', max: 'y', mean: null, 'top.0.value': 'x', 'top.0.count': 2, 'top.1.value': 'y', 'top.1.count': 1 },
      { column: 'c', type: 'boolean', filled: 1, distinct: 1, min: true, max: true, mean: null, 'top.0.value': true, 'top.0.count': 1 },
    ])
  })

  test('tells columns of several types and of none', async () => {
    expect(await rowsOf(`${seedRows([{ a: 1, b: null }, { a: 'x', b: '' }])} || summarize || table column type filled mean`)).toEqual([
      { column: 'a', type: 'mixed', filled: 2, mean: 1 },
      { column: 'b', type: 'null', filled: 0, mean: null },
    ])
  })

  test('takes a column of numeric texts for numbers when it comes to bounds and mean', async () => {
    expect(await rowsOf(`${seedRows([{ a: '10' }, { a: '9' }])} || summarize || table type min max mean`)).toEqual([{ type: 'string', min: 9, max: 10, mean: 9.5 }])
  })

  test('shows at most five frequent values', async () => {
    expect(Object.keys((await rowsOf('range 2000 || summarize || table top.*'))[0] ?? {})).toHaveLength(10)
  })

  test('takes names of the prototype for columns', async () => {
    expect(await rowsOf(`seed '[{"__proto__": 1, "constructor": 2}]' || summarize || table column max`)).toEqual([{ column: '__proto__', max: 1 }, { column: 'constructor', max: 2 }])
  })
})
