import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'

describe('limit', () => {
  test('keeps the first rows', async () => {
    expect(await rowsOf('range 10 || limit 2')).toEqual([{ n: 0 }, { n: 1 }])
  })

  test('passes over the offset, also across batches', async () => {
    expect(await rowsOf('range 5000 || limit 2 --offset 2999')).toEqual([{ n: 2999 }, { n: 3000 }])
  })

  test('of 0 keeps nothing', async () => {
    expect(await rowsOf('range 10 || limit 0')).toEqual([])
  })
})
