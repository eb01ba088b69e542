import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'
import { seedRows } from '../../support/seedRows.ts'

describe('excludes', () => {
  const drinks = seedRows([{ a: 'green tea' }, { a: 'Tea' }, { a: null }, { b: 'tea' }])

  test('drops the rows that hold the text in the column, and keeps those without a value', async () => {
    expect(await rowsOf(`${drinks} || excludes a tea`)).toEqual([{ a: 'Tea' }, { a: null }, { b: 'tea' }])
  })

  test('takes small and capital letters for the same when asked', async () => {
    expect(await rowsOf(`${drinks} || excludes a TEA --ignoreCase`)).toEqual([{ a: null }, { b: 'tea' }])
  })

  test('drops a row when any column below a prefix holds the text', async () => {
    expect(await rowsOf(`${seedRows([{ tags: ['old', 'hot'] }, { tags: ['old'] }])} || excludes tags.* hot`)).toEqual([{ 'tags.0': 'old' }])
  })
})
