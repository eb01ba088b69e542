import { describe, expect, test } from 'vitest'
import { shorten } from '../../src/query/fillShown.ts'

describe('the values that a record shows', () => {
  test('are what they are, where they are short', () => {
    const value = { a: ['x', 1, null, true, { b: [] }], c: '' }
    expect(shorten(value)).toEqual(value)
  })

  test('are cut where a text is long', () => {
    expect(shorten(['x'.repeat(2_000), 'y'.repeat(2_001)])).toEqual(['x'.repeat(2_000), `${'y'.repeat(2_000)}…`])
  })

  test('are cut where very many come together, in lists and in objects', () => {
    const list = shorten(Array.from({ length: 100_000 }, (_, n) => `c${n}`)) as string[]
    expect([list[0], list.at(-1), JSON.stringify(list).length < 60_000, list.length > 5_000]).toEqual(['c0', '…', true, true])
    const object = shorten(Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`c${n}`, n]))) as Record<string, unknown>
    expect([object['c0'], object['…'], JSON.stringify(object).length < 80_000]).toEqual([0, '…', true])
    expect(JSON.stringify(shorten(Array.from({ length: 1_000 }, () => ['x'.repeat(1_000), ['y']]))).length).toBeLessThan(60_000)
  })
})
