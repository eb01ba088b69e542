import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'

describe('mask', () => {
  test('hides every character, of numbers too', async () => {
    expect(await rowsOf(`seed '{a: "a😀c", b: 1234, c: null}' || mask a b c`)).toEqual([{ a: '***', b: '****', c: null }])
  })

  test('keeps the last characters, but never the whole value', async () => {
    expect(await rowsOf(`seed '[{a: "12345678"}, {a: "1234"}, {a: "12"}]' || mask a --keep 4`)).toEqual([{ a: '****5678' }, { a: '****' }, { a: '**' }])
  })

  test('with --hash gives equal values equal masks', async () => {
    const rows = await rowsOf(`seed '[{a: "ada"}, {a: "ada"}, {a: "eve"}]' || mask a --hash`)
    const [first, second, third] = rows.map((row) => String(row['a']))
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })
})
