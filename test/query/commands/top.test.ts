import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'
import { faultsOf, seedRows } from '../../support/seedRows.ts'

describe('top', () => {
  const rows = seedRows([{ a: 'x' }, { a: 'y' }, { a: 'z' }, { a: 'z' }, { a: null }, {}])

  test('answers with the most frequent values, the first met among equals, and their share of all values', async () => {
    expect(await rowsOf(`${rows} || top 2 a`)).toEqual([{ a: 'z', count: 2, share: 0.5 }, { a: 'x', count: 1, share: 0.25 }])
  })

  test('has the column first', async () => {
    expect(Object.keys((await rowsOf(`${rows} || top 1 a`))[0] ?? {})).toEqual(['a', 'count', 'share'])
  })

  test('answers with all values where there are fewer, and with none for 0', async () => {
    expect(await rowsOf(`${rows} || top 10 a || count`)).toEqual([{ count: 3 }])
    expect(await rowsOf(`${rows} || top 0 a`)).toEqual([])
  })

  test('counts the values of all columns below a prefix', async () => {
    expect(await rowsOf(`${seedRows([{ t: ['hot', 'new'] }, { t: ['hot'] }])} || top 1 t.* || table count`)).toEqual([{ count: 2 }])
  })

  test('tells a number from its text', async () => {
    expect(await rowsOf(`${seedRows([{ a: 1 }, { a: '1' }])} || top 5 a || count`)).toEqual([{ count: 2 }])
  })

  test('refuses a column that its own would hide', () => {
    expect(faultsOf('range 3 || top 3 count')).toMatchObject([{ at: 'top' }])
    expect(faultsOf('range 3 || top 3 share')).toMatchObject([{ at: 'top' }])
  })
})
