import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'
import { seedRows } from '../../support/seedRows.ts'

describe('transpose', () => {
  test('makes a row of each column, in the order of first appearance; missing values are null', async () => {
    expect(await rowsOf(`${seedRows([{ a: 1, b: 'x' }, { b: 'y', c: true }])} || transpose`)).toEqual([
      { column: 'a', 0: 1, 1: null },
      { column: 'b', 0: 'x', 1: 'y' },
      { column: 'c', 0: null, 1: true },
    ])
  })

  test('makes many columns of few rows and many rows of few columns', async () => {
    const wide = seedRows([Object.fromEntries(Array.from({ length: 2500 }, (_, index) => [`c${index}`, index]))])
    expect(await rowsOf(`${wide} || transpose || tail 1`)).toEqual([{ column: 'c2499', 0: 2499 }])
    expect(await rowsOf('range 90000 || transpose || table column 89999')).toEqual([{ column: 'n', 89999: 89_999 }])
  })

  test('of no rows makes none', async () => {
    expect(await rowsOf('range 0 || transpose')).toEqual([])
  })

  test('takes names of the prototype for columns', async () => {
    expect(await rowsOf(`seed '[{"__proto__": 1, "constructor": 2}]' || transpose`)).toEqual([{ column: '__proto__', 0: 1 }, { column: 'constructor', 0: 2 }])
  })

  test('refuses more rows than a row has columns', async () => {
    await expect(rowsOf('range 100001 || transpose')).rejects.toThrow('A row of transpose would have more than 100,000 columns')
  })
})
