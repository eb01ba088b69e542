import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'

describe('sequence', () => {
  test('numbers rows from 0, also across batches', async () => {
    const rows = await rowsOf('range 10 2510 || sequence')
    expect(rows).toHaveLength(2500)
    expect(rows.every((row) => row['_sequence'] === Number(row['n']) - 10)).toBe(true)
  })
})
