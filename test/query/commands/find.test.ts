import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'
import { seedRows } from '../../support/seedRows.ts'

describe('find', () => {
  const drinks = seedRows([{ a: 'green tea' }, { b: 'Tea' }, { a: 'coffee', b: 15 }, { a: null }, {}])

  test('keeps the rows that hold the text in any column', async () => {
    expect(await rowsOf(`${drinks} || find tea`)).toEqual([{ a: 'green tea' }])
  })

  test('takes small and capital letters for the same when asked', async () => {
    expect(await rowsOf(`${drinks} || find TEA --ignoreCase`)).toEqual([{ a: 'green tea' }, { b: 'Tea' }])
  })

  test('looks in numbers as they are written, and not in the names of columns', async () => {
    expect(await rowsOf(`${drinks} || find 5`)).toEqual([{ a: 'coffee', b: 15 }])
    expect(await rowsOf(`${drinks} || find b`)).toEqual([])
  })

  test('takes the text for data, not for a pattern', async () => {
    expect(await rowsOf(`${seedRows([{ a: 'x.*y' }, { a: 'x--y' }])} || find "x.*y"`)).toEqual([{ a: 'x.*y' }])
  })

  test('fills tokens from the row', async () => {
    expect(await rowsOf(`${seedRows([{ a: 'tea', b: 'tea time' }, { a: 'tea', b: 'coffee time' }])} || find "$a$ time"`)).toEqual([{ a: 'tea', b: 'tea time' }])
  })
})
