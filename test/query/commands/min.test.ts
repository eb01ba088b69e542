import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'
import { faultsOf, seedRows } from '../../support/seedRows.ts'

describe('min', () => {
  const rows = seedRows([{ id: 1, shop: 'b', v: 10 }, { id: 2, shop: 'a', v: '9' }, { id: 3, shop: 'b', v: 100 }, { id: 4, shop: 'a', v: null }, { id: 5, shop: 'c' }, { id: 6, shop: 'b', v: '100' }])

  test('compares numbers and numeric text as numbers', async () => {
    expect(await rowsOf(`${rows} || min v`)).toEqual([{ min: 9 }])
  })

  test('compares texts where there are no numbers', async () => {
    expect(await rowsOf(`${seedRows([{ v: 'b' }, { v: 'a' }])} || min v`)).toEqual([{ min: 'a' }])
  })

  test('answers for groups by themselves', async () => {
    expect(await rowsOf(`${rows} || min v --by shop`)).toEqual([{ shop: 'b', min: 10 }, { shop: 'a', min: 9 }, { shop: 'c', min: null }])
  })

  test('answers with the whole row, the first of equals', async () => {
    expect(await rowsOf(`${rows} || min v --row`)).toEqual([{ id: 2, shop: 'a', v: '9' }])
    expect(await rowsOf(`${rows} || min v --row --by shop`)).toEqual([{ id: 1, shop: 'b', v: 10 }, { id: 2, shop: 'a', v: '9' }])
  })

  test('of no values is null, and no row', async () => {
    expect(await rowsOf('range 0 || min n')).toEqual([{ min: null }])
    expect(await rowsOf('range 0 || min n --row')).toEqual([])
  })

  test('refuses to hide the column that it groups by, which it does not do with whole rows', () => {
    expect(faultsOf('range 3 || min n --by min')).toHaveLength(1)
    expect(faultsOf('range 3 || min n --by min --row')).toEqual([])
  })
})
