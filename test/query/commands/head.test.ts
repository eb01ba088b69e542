import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'

describe('head', () => {
  test('keeps the first rows, also across batches', async () => {
    expect(await rowsOf('range 10 || head 2')).toEqual([{ n: 0 }, { n: 1 }])
    expect(await rowsOf('range 5000 || head 2500 || tail 1')).toEqual([{ n: 2499 }])
  })

  test('of 0 keeps nothing', async () => {
    expect(await rowsOf('range 10 || head 0')).toEqual([])
  })

  test('does not ask for rows that it does not need', async () => {
    expect(await rowsOf('range 9007199254740991 || head 1')).toEqual([{ n: 0 }])
  })
})
