import { describe, expect, test } from 'vitest'
import { parseQuery } from '../../../src/query/plan.ts'
import { rowsOf } from '../../support/runQuery.ts'

describe('math', () => {
  test('computes with numeric text and sets or replaces the column', async () => {
    expect(await rowsOf(`seed '{a: "2", b: 3}' || math c 'a * b' || math a 'a + 1'`)).toEqual([{ a: 3, b: 3, c: 6 }])
  })

  test('gives null where it cannot be computed', async () => {
    expect(await rowsOf("seed '{a: 1}' || math x 'a / 0' || math y 'missing + 1' || math z 'a * b'")).toEqual([{ a: 1, x: null, y: null, z: null }])
  })

  test('makes text of a list', async () => {
    expect(await rowsOf(`addcolumn a 'x-y' || math b "split(a, '-')"`)).toEqual([{ a: 'x-y', b: 'x,y' }])
  })

  test('reports a broken expression', () => {
    expect(parseQuery("range 1 || math a 'n +'").faults).toHaveLength(1)
  })
})
