import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'

describe('upper', () => {
  test('changes text, and leaves other kinds of values', async () => {
    expect(await rowsOf(`seed '{a: "àb", b: true, c: "x"}' || upper a b`)).toEqual([{ a: 'ÀB', b: true, c: 'x' }])
  })

  test('changes a column of the name __proto__', async () => {
    expect(Object.entries((await rowsOf('addcolumn __proto__ x || upper __proto__'))[0] ?? {})).toEqual([['__proto__', 'X']])
  })
})
