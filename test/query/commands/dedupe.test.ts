import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'
import { seedRows } from '../../support/seedRows.ts'

describe('dedupe', () => {
  test('keeps the first of equal rows, whatever the order of their columns', async () => {
    expect(await rowsOf(`${seedRows([{ a: 1, b: 2 }, { b: 2, a: 1 }, { a: 1, b: 3 }, { a: 1, b: 2 }])} || dedupe`)).toEqual([{ a: 1, b: 2 }, { a: 1, b: 3 }])
  })

  test('takes a missing column for null', async () => {
    expect(await rowsOf(`${seedRows([{ a: 1, b: null }, { a: 1 }])} || dedupe`)).toEqual([{ a: 1, b: null }])
    expect(await rowsOf(`${seedRows([{ a: 1 }, { a: 2, b: null }, { a: 3, b: 0 }])} || dedupe b`)).toEqual([{ a: 1 }, { a: 3, b: 0 }])
  })

  test('looks only at the named columns', async () => {
    const rows = [{ a: 1, b: 1, c: 1 }, { a: 1, b: 1, c: 2 }, { a: 1, b: 2, c: 3 }]
    expect(await rowsOf(`${seedRows(rows)} || dedupe a b`)).toEqual([rows[0], rows[2]])
    expect(await rowsOf(`${seedRows(rows)} || dedupe a`)).toEqual([rows[0]])
  })

  test('looks at all columns below a prefix', async () => {
    expect(await rowsOf(`${seedRows([{ id: 1, t: ['x', 'y'] }, { id: 2, t: ['x', 'y'] }, { id: 3, t: ['x'] }])} || dedupe t.* || table id`)).toEqual([{ id: 1 }, { id: 3 }])
  })

  test('tells a number from its text, and values that only look alike when they are joined', async () => {
    expect(await rowsOf(`${seedRows([{ a: 1 }, { a: '1' }, { a: true }, { a: 'true' }])} || dedupe a || count`)).toEqual([{ count: 4 }])
    expect(await rowsOf(`${seedRows([{ a: 'x,y', b: 'z' }, { a: 'x', b: 'y,z' }])} || dedupe a b || count`)).toEqual([{ count: 2 }])
  })

  test('tells long texts apart that begin alike', async () => {
    const long = 'x'.repeat(500)
    expect(await rowsOf(`${seedRows([{ a: `${long}1` }, { a: `${long}2` }, { a: `${long}1` }])} || dedupe a || count`)).toEqual([{ count: 2 }])
  })

  test('remembers across batches', async () => {
    expect(await rowsOf('range 5000 || dedupe || append 0 || dedupe || count')).toEqual([{ count: 5000 }])
  })
})
