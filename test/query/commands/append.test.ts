import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'
import { faultsOf, seedRows } from '../../support/seedRows.ts'

describe('append', () => {
  test('puts the rows of the other stage behind these', async () => {
    expect(await rowsOf(`range 2 --labelStage a || ${seedRows([{ x: 1 }])} || append a`)).toEqual([{ x: 1 }, { n: 0 }, { n: 1 }])
  })

  test('takes all rows of a stage, also those that nobody has asked for yet', async () => {
    expect(await rowsOf('range 5000 || head 1 || append 0 || count')).toEqual([{ count: 5001 }])
  })

  test('can be used several times, also of a stage that appends', async () => {
    expect(await rowsOf('range 2 --labelStage a || append a --labelStage b || append b || append a')).toEqual([0, 1, 0, 1, 0, 1, 0, 1, 0, 1].map((n) => ({ n })))
  })

  test('refuses a stage that is not before it', () => {
    expect(faultsOf('range 3 || append 1')).toMatchObject([{ at: '1' }])
    expect(faultsOf('range 3 || append later || head 1 --labelStage later')).toMatchObject([{ at: 'later' }])
  })
})
