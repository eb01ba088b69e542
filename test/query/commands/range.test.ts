import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'
import { faultsOf } from '../../support/seedRows.ts'

const numbersOf = async (text: string) => (await rowsOf(text)).map(({ n }) => n)

describe('range', () => {
  test('counts up to a number that is not included, from 0 or from another', async () => {
    expect(await numbersOf('range 3')).toEqual([0, 1, 2])
    expect(await numbersOf('range 2 5')).toEqual([2, 3, 4])
    expect(await numbersOf('range 10 0 -4')).toEqual([10, 6, 2])
    expect(await numbersOf('range 5 2')).toEqual([])
  })

  test('refuses a step that never arrives', () => {
    expect(faultsOf('range 0 1 0')).toEqual([{ at: '0', message: 'a step of 0 never arrives' }])
  })
})
