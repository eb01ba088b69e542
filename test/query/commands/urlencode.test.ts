import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'

describe('urlencode', () => {
  test('encodes what has a meaning in an address', async () => {
    expect(await rowsOf(`seed '{a: "a b&c=é/+", b: 1}' || urlencode a b`)).toEqual([{ a: 'a%20b%26c%3D%C3%A9%2F%2B', b: 1 }])
  })

  test('survives half of a surrogate pair', async () => {
    expect(await rowsOf(`seed '{a: "\\ud800"}' || urlencode a`)).toEqual([{ a: '%EF%BF%BD' }])
  })
})
