import { describe, expect, test } from 'vitest'
import { parseQuery } from '../../../src/query/plan.ts'
import { rowsOf } from '../../support/runQuery.ts'

describe('replace', () => {
  test('replaces every occurrence, and reads no pattern into the text', async () => {
    expect(await rowsOf("addcolumn a 'a.b.c' || replace a . $$1")).toEqual([{ a: 'a$1b$1c' }])
  })

  test('fills tokens, whose values are plain text', async () => {
    expect(await rowsOf(`seed '{a: "x.y", b: ".", c: "$$&"}' || replace a $b$ $c$ || table a`)).toEqual([{ a: 'x$&y' }])
  })

  test('leaves numbers, nulls and the search for nothing', async () => {
    expect(await rowsOf(`seed '{a: 10, b: null, c: "x"}' || replace a 0 1 || replace b x y || replace c '' y`)).toEqual([{ a: 10, b: null, c: 'x' }])
  })

  test('with --regex puts groups by number and by name', async () => {
    expect(await rowsOf("addcolumn a '2024-03 2025-04' || replace a '([0-9]+)-(?<m>[0-9]+)' '$<m>/$1$2' --regex")).toEqual([{ a: '03/202403 04/202504' }])
  })

  test('with --regex takes values of the row as plain text', async () => {
    expect(await rowsOf(`seed '{a: "x", b: "$$0 $$<m>"}' || replace a '(?<m>.)' '[$b$]' --regex || table a`)).toEqual([{ a: '[$0 $<m>]' }])
  })

  test('with --regex reads dollars in the pattern as ends of the text', async () => {
    expect(await rowsOf("addcolumn a abab || replace a 'b$|x$' '' --regex")).toEqual([{ a: 'aba' }])
  })

  test('keeps whole characters where a pattern matches nothing', async () => {
    expect(await rowsOf("addcolumn a '😀é' || replace a 'z*' - --regex")).toEqual([{ a: '-😀-é-' }])
  })

  test('reports a broken pattern and an unknown group', () => {
    expect(parseQuery("range 1 || replace n '(' x --regex").faults).toMatchObject([{ start: 21, message: expect.stringContaining('not a regular expression') }])
    expect(parseQuery("range 1 || replace n '(a)' '$2' --regex").faults).toMatchObject([{ message: 'the pattern has no group 2' }])
    expect(parseQuery("range 1 || replace n '(' x").faults).toEqual([])
  })
})
