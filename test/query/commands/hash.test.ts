import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'

describe('hash', () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

  test('hashes the JSON of the values', async () => {
    expect(await rowsOf(`seed '{a: 1, b: "x", c: 3}' || hash a b`)).toEqual([{ a: 1, b: 'x', c: 3, _hash: sha256('1,"x"') }])
  })

  test('tells apart kinds of values, and places of missing ones', async () => {
    const rows = await rowsOf(`seed '[{a: 1}, {a: "1"}, {b: 1}, {a: null}, {}]' || hash a b`)
    expect(new Set(rows.map((row) => row['_hash'])).size).toBe(4)
  })

  test('of the whole row does not depend on the order of columns', async () => {
    const rows = await rowsOf(`seed '[{a: 1, b: 2}, {b: 2, a: 1}, {a: 2, b: 1}]' || hash`)
    expect(rows.map((row) => row['_hash'])).toEqual([sha256('{"a":1,"b":2}'), sha256('{"a":1,"b":2}'), sha256('{"a":2,"b":1}')])
  })

  test('takes all below a prefix', async () => {
    expect(await rowsOf(`seed '{p: {x: 1, y: 2}}' || hash p.* || table _hash`)).toEqual([{ _hash: sha256('1,2') }])
  })
})
