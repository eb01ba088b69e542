import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'
import { faultsOf, seedRows } from '../../support/seedRows.ts'

describe('max', () => {
  const rows = seedRows([{ id: 1, shop: 'b', v: 10 }, { id: 2, shop: 'a', v: '9' }, { id: 3, shop: 'b', v: 100 }, { id: 4, shop: 'a', v: null }, { id: 5, shop: 'c' }, { id: 6, shop: 'b', v: '100' }])

  test('compares numbers and numeric text as numbers', async () => {
    expect(await rowsOf(`${rows} || max v`)).toEqual([{ max: 100 }])
  })

  test('compares texts where there are no numbers', async () => {
    expect(await rowsOf(`${seedRows([{ v: 'b' }, { v: 'a' }])} || max v`)).toEqual([{ max: 'b' }])
  })

  test('answers for groups by themselves', async () => {
    expect(await rowsOf(`${rows} || max v --by shop`)).toEqual([{ shop: 'b', max: 100 }, { shop: 'a', max: 9 }, { shop: 'c', max: null }])
  })

  test('answers with the whole row, the first of equals', async () => {
    expect(await rowsOf(`${rows} || max v --row`)).toEqual([{ id: 3, shop: 'b', v: 100 }])
    expect(await rowsOf(`${rows} || max v --row --by shop`)).toEqual([{ id: 3, shop: 'b', v: 100 }, { id: 2, shop: 'a', v: '9' }])
  })

  test('of no values is null, and no row', async () => {
    expect(await rowsOf('range 0 || max n')).toEqual([{ max: null }])
    expect(await rowsOf('range 0 || max n --row')).toEqual([])
  })

  test('refuses to hide the column that it groups by, which it does not do with whole rows', () => {
    expect(faultsOf('range 3 || max n --by max')).toHaveLength(1)
    expect(faultsOf('range 3 || max n --by max --row')).toEqual([])
  })
})
