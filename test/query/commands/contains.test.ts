import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'
import { seedRows } from '../../support/seedRows.ts'

describe('contains', () => {
  const drinks = seedRows([{ a: 'green tea', b: 'x' }, { a: 'Tea' }, { a: null, b: 'tea' }, { b: 'tea' }, { a: 42 }])

  test('keeps the rows that hold the text in the column', async () => {
    expect(await rowsOf(`${drinks} || contains a tea`)).toEqual([{ a: 'green tea', b: 'x' }])
    expect(await rowsOf(`${drinks} || contains a 4`)).toEqual([{ a: 42 }])
  })

  test('takes small and capital letters for the same when asked', async () => {
    expect(await rowsOf(`${drinks} || contains a TEA --ignoreCase`)).toEqual([{ a: 'green tea', b: 'x' }, { a: 'Tea' }])
  })

  test('looks in all columns below a prefix', async () => {
    expect(await rowsOf(`${seedRows([{ tags: ['hot', 'new'] }, { tagsold: 'hot' }])} || contains tags.* hot`)).toEqual([{ 'tags.0': 'hot', 'tags.1': 'new' }])
  })

  test('fills tokens from the row', async () => {
    expect(await rowsOf(`${seedRows([{ a: 'one two', b: 'two' }, { a: 'one', b: 'two' }])} || contains a "$b$"`)).toEqual([{ a: 'one two', b: 'two' }])
  })

  test('finds nothing in a name of the prototype that the row lacks', async () => {
    expect(await rowsOf(`${seedRows([{ a: 1 }])} || contains constructor Object`)).toEqual([])
  })
})
