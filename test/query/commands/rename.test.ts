import { describe, expect, test } from 'vitest'
import { parseQuery } from '../../../src/query/plan.ts'
import { rowsOf } from '../../support/runQuery.ts'

describe('rename', () => {
  test('keeps the place of the column', async () => {
    expect(JSON.stringify(await rowsOf("seed '{a: 1, b: 2, c: 3}' || rename b x"))).toBe('[{"a":1,"x":2,"c":3}]')
  })

  test('replaces a column that has the name already', async () => {
    expect(await rowsOf("seed '{a: 1, b: 2}' || rename a b")).toEqual([{ b: 1 }])
    expect(await rowsOf("seed '{a: 1, b: 2}' || rename b a")).toEqual([{ a: 2 }])
  })

  test('renames all below a prefix, takes a prefix off and puts one on', async () => {
    expect(await rowsOf("seed '{a: {x: 1, y: 2}, ab: 3}' || rename a.* z.*")).toEqual([{ 'z.x': 1, 'z.y': 2, ab: 3 }])
    expect(await rowsOf("seed '{a: {x: 1, y: 2}, ab: 3}' || rename a.* *")).toEqual([{ x: 1, y: 2, ab: 3 }])
    expect(await rowsOf("seed '{a: 1}' || rename * z.*")).toEqual([{ 'z.a': 1 }])
  })

  test('leaves a row without the column as it is', async () => {
    expect(await rowsOf("seed '{b: 1}' || rename a b")).toEqual([{ b: 1 }])
  })

  test('to and from names of the prototype', async () => {
    expect(Object.entries((await rowsOf("seed '{a: 1}' || rename a __proto__"))[0] ?? {})).toEqual([['__proto__', 1]])
  })

  test('refuses to make a prefix a column', () => {
    expect(parseQuery('range 1 || rename a.* b').faults).toMatchObject([{ start: 22, message: expect.stringContaining('prefix') }])
  })
})
