import { describe, expect, test } from 'vitest'
import { parseQuery } from '../../../src/query/plan.ts'
import { rowsOf } from '../../support/runQuery.ts'

describe('extract', () => {
  test('makes a column of each named group of the first match', async () => {
    expect(await rowsOf("addcolumn t 'a=1 b=2' || extract t '(?<key>[a-z])=(?<value>[0-9])'")).toEqual([{ t: 'a=1 b=2', key: 'a', value: '1' }])
  })

  test('gives null where the pattern or a group is not found', async () => {
    expect(await rowsOf(`seed '[{t: "x"}, {t: "a"}, {}]' || extract t '(?<a>a)(?<b>b)?'`)).toEqual([{ t: 'x', a: null, b: null }, { t: 'a', a: 'a', b: null }, { a: null, b: null }])
  })

  test('with --all makes a row a match, and none without one', async () => {
    expect(await rowsOf(`seed '[{t: "a1b2"}, {t: "-"}, {t: "c3"}]' || extract t '(?P<d>[0-9])' --all`)).toEqual([{ t: 'a1b2', d: '1' }, { t: 'a1b2', d: '2' }, { t: 'c3', d: '3' }])
  })

  test('ends on a pattern that matches nothing at every place', async () => {
    expect((await rowsOf("addcolumn t 'aé😀' || extract t '(?<x>z*)' --all")).map((row) => row['x'])).toEqual(['', '', '', ''])
  })

  test('answers at once where backtracking would not', async () => {
    expect(await rowsOf(`addcolumn t ${'a'.repeat(5000)}! || extract t '^(?<x>(a+)+)$' || table x`)).toEqual([{ x: null }])
  })

  test('gives up on matches that each look through the whole text', async () => {
    await expect(rowsOf(`addcolumn t ${'a'.repeat(100_000)} || extract t '(?<x>a*b|a)' --all`)).rejects.toThrow('took more than 1500 ms')
  }, 30_000)

  test('reports a pattern that is none, and one without named groups', () => {
    expect(parseQuery("range 1 || extract n '(?<x>'").faults).toMatchObject([{ start: 21, message: expect.stringContaining('not a regular expression') }])
    expect(parseQuery("range 1 || extract n '(a)'").faults).toMatchObject([{ message: expect.stringContaining('no named group') }])
  })
})
