import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'

describe('trim', () => {
  test('takes white space off both ends only', async () => {
    expect(await rowsOf(`seed '{a: " x  y\t", b: " z", c: 1}' || trim a c`)).toEqual([{ a: 'x  y', b: ' z', c: 1 }])
  })
})
