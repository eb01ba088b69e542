import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'
import { faultsOf, seedRows } from '../../support/seedRows.ts'

describe('count', () => {
  test('counts rows, also none', async () => {
    expect(await rowsOf('range 2500 || count')).toEqual([{ count: 2500 }])
    expect(await rowsOf('range 0 || count')).toEqual([{ count: 0 }])
  })

  test('counts groups by themselves, in the order of first appearance', async () => {
    const rows = seedRows([{ shop: 'b' }, { shop: 'a' }, { shop: 'b' }, {}])
    expect(await rowsOf(`${rows} || count --by shop`)).toEqual([{ shop: 'b', count: 2 }, { shop: 'a', count: 1 }, { shop: null, count: 1 }])
  })

  test('refuses to hide the column that it groups by', () => {
    expect(faultsOf('range 3 || count --by count')).toMatchObject([{ at: 'count', message: 'count makes a column count itself and would hide the one it is asked to keep' }])
  })
})
