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

  test('flattens a list like any other nested data', async () => {
    expect(await rowsOf(`addcolumn a 'x-y' || math b "split(a, '-')"`)).toEqual([{ 'a': 'x-y', 'b.0': 'x', 'b.1': 'y' }])
    expect(await rowsOf(`addcolumn a 'x-y' || addcolumn b 1 || math a "[split(a, '-'), []]"`)).toEqual([{ 'a.0.0': 'x', 'a.0.1': 'y', 'b': 1 }])
  })

  test('reports a broken expression', () => {
    expect(parseQuery("range 1 || math a 'n +'").faults).toHaveLength(1)
  })
})
