import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'

describe('lower', () => {
  test('changes text, and leaves other kinds of values', async () => {
    expect(await rowsOf(`seed '{a: "ÀB", b: 1, c: null, d: {e: "X"}}' || lower a b c d.* missing`)).toEqual([{ a: 'àb', b: 1, c: null, 'd.e': 'x' }])
  })
})
