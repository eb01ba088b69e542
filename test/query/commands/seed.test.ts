import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'

describe('seed', () => {
  test('makes a row an item of a list, and one row of anything else', async () => {
    expect(await rowsOf(`seed '[{a: {b: [1, {c: 2}]}, d: []}, 5, null]'`)).toEqual([{ 'a.b.0': 1, 'a.b.1.c': 2 }, { value: 5 }, { value: null }])
    expect(await rowsOf('seed 5')).toEqual([{ value: 5 }])
    expect(await rowsOf('seed []')).toEqual([])
  })

  test('says that data is too wide for a row', async () => {
    const failed = rowsOf(`seed '{a: [${'1,'.repeat(100_001)}]}'`)
    await expect(failed).rejects.toMatchObject({ code: 'unprocessable', message: 'The data of seed cannot become a row: it has more than 100,000 columns.' })
  })
})
