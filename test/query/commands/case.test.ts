import { describe, expect, test } from 'vitest'
import { parseQuery } from '../../../src/query/plan.ts'
import { rowsOf } from '../../support/runQuery.ts'

describe('case', () => {
  test('takes the first condition that holds, else the last value', async () => {
    expect(await rowsOf("range 4 || case k 'n == 0' none 'n < 3' few many")).toEqual([{ n: 0, k: 'none' }, { n: 1, k: 'few' }, { n: 2, k: 'few' }, { n: 3, k: 'many' }])
  })

  test('without a condition that holds leaves the column, and sets a missing one to null', async () => {
    expect(await rowsOf("range 2 || case n 'n == 0' zero")).toEqual([{ n: 'zero' }, { n: 1 }])
    expect(await rowsOf("range 1 || case k 'n == 9' nine")).toEqual([{ n: 0, k: null }])
  })

  test('fills tokens in values, and does not read them as syntax', async () => {
    expect(await rowsOf(`seed '{a: "1 == 1", b: 2}' || case c $a$ yes $b$`)).toEqual([{ a: '1 == 1', b: 2, c: 'yes' }])
    expect(await rowsOf(`seed '{a: "1 == 2", b: 2}' || case c 'b == 3' no $a$`)).toEqual([{ a: '1 == 2', b: 2, c: '1 == 2' }])
  })

  test('reports a missing value and every broken condition', () => {
    expect(parseQuery("range 1 || case a 'n == 0'").faults).toMatchObject([{ message: 'case needs a condition and a value' }])
    expect(parseQuery("range 1 || case a 'n ==' x '(n' y").faults).toHaveLength(2)
  })
})
