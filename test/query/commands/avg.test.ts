import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'
import { faultsOf, seedRows } from '../../support/seedRows.ts'

describe('avg', () => {
  const rows = seedRows([{ shop: 'b', price: 2 }, { shop: 'a', price: 1 }, { shop: 'b', price: '3' }, { shop: 'b', price: 'x' }, { shop: 'c', price: null }])

  test('takes the numbers of the column, numeric text too, and passes over the rest', async () => {
    expect(await rowsOf(`${rows} || avg price`)).toEqual([{ avg: 2 }])
  })

  test('answers for groups by themselves', async () => {
    expect(await rowsOf(`${rows} || avg price --by shop`)).toEqual([{ shop: 'b', avg: 2.5 }, { shop: 'a', avg: 1 }, { shop: 'c', avg: null }])
  })

  test('of no numbers is null', async () => {
    expect(await rowsOf('range 0 || avg n')).toEqual([{ avg: null }])
    expect(await rowsOf('range 3 || avg constructor')).toEqual([{ avg: null }])
  })

  test('refuses to hide the column that it groups by', () => {
    expect(faultsOf('range 3 || avg n --by avg')).toHaveLength(1)
  })
})
