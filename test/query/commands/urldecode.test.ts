import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'

describe('urldecode', () => {
  test('undoes urlencode', async () => {
    expect(await rowsOf(`seed '{a: "a b&c=é/+"}' || urlencode a || urldecode a`)).toEqual([{ a: 'a b&c=é/+' }])
  })

  test('leaves what is not encoded as it is', async () => {
    expect(await rowsOf(`seed '{a: "100% of %C3%28 %zz %41+"}' || urldecode a`)).toEqual([{ a: '100% of %C3%28 %zz A+' }])
  })
})
