import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'
import { faultsOf, seedRows } from '../../support/seedRows.ts'

describe('sum', () => {
  const rows = seedRows([{ shop: 'b', price: 2 }, { shop: 'a', price: 1 }, { shop: 'b', price: '3' }, { shop: 'b', price: 'x' }, { shop: 'c', price: null }])

  test('takes the numbers of the column, numeric text too, and passes over the rest', async () => {
    expect(await rowsOf(`${rows} || sum price`)).toEqual([{ sum: 6 }])
  })

  test('answers for groups by themselves', async () => {
    expect(await rowsOf(`${rows} || sum price --by shop`)).toEqual([{ shop: 'b', sum: 5 }, { shop: 'a', sum: 1 }, { shop: 'c', sum: 0 }])
  })

  test('of no numbers is 0', async () => {
    expect(await rowsOf('range 0 || sum n')).toEqual([{ sum: 0 }])
    expect(await rowsOf('range 3 || sum constructor')).toEqual([{ sum: 0 }])
  })

  test('refuses to hide the column that it groups by', () => {
    expect(faultsOf('range 3 || sum n --by sum')).toHaveLength(1)
  })
})
