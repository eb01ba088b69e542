import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'

describe('tail', () => {
  test('keeps the last rows in their order', async () => {
    expect(await rowsOf('range 10 || tail 2')).toEqual([{ n: 8 }, { n: 9 }])
  })

  test('keeps them across batches, also more than a batch of them', async () => {
    expect(await rowsOf('range 9999 || tail 2 ')).toEqual([{ n: 9997 }, { n: 9998 }])
    const rows = await rowsOf('range 9999 || tail 2500')
    expect([rows.length, rows[0], rows.at(-1)]).toEqual([2500, { n: 7499 }, { n: 9998 }])
    const many = await rowsOf('range 30000 || tail 20500')
    expect([many.length, many[0], many.at(-1)]).toEqual([20_500, { n: 9_500 }, { n: 29_999 }])
  })

  test('of more rows than there are keeps all, and of 0 none', async () => {
    expect(await rowsOf('range 2 || tail 5')).toEqual([{ n: 0 }, { n: 1 }])
    expect(await rowsOf('range 2 || tail 0')).toEqual([])
  })
})
