import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Places } from '../../../src/query/text/place.ts'
import { cpuMsOf } from '../../support/cpuMs.ts'

/** The same by counting, character by character. */
function count(text: string, start: number, end: number): { line: number; column: number; length: number } {
  const lines = text.slice(0, start).split('\n')
  return { line: lines.length, column: Array.from(lines.at(-1) ?? '').length + 1, length: Array.from(text.slice(start, end)).length }
}

describe('Places', () => {
  test('count lines and columns from 1', () => {
    const places = new Places('ab\ncd\n')
    expect(places.of(0, 2)).toEqual({ line: 1, column: 1, length: 2 })
    expect(places.of(4, 5)).toEqual({ line: 2, column: 2, length: 1 })
    expect(places.of(6, 6)).toEqual({ line: 3, column: 1, length: 0 })
  })

  test('count an emoji as one character', () => {
    const text = '😀 a\n😀😀 b'
    const places = new Places(text)
    expect(places.of(3, 4)).toEqual({ line: 1, column: 3, length: 1 })
    expect(places.of(text.indexOf('b'), text.length)).toEqual({ line: 2, column: 4, length: 1 })
    expect(places.of(5, 9)).toEqual({ line: 2, column: 1, length: 2 })
  })

  test('count half of an emoji as a character', () => {
    expect(new Places('a😀').of(1, 2)).toEqual({ line: 1, column: 2, length: 1 })
    expect(new Places('\ud83d\ud83d\ude00').of(0, 3)).toEqual({ line: 1, column: 1, length: 2 })
  })

  test('take offsets behind the end', () => {
    expect(new Places('').of(0, 1)).toEqual({ line: 1, column: 1, length: 1 })
  })

  test('agree with counting, for any text', () => {
    const texts = fc.array(fc.constantFrom('a', '\n', '\r\n', '😀', '\ud83d', '\ude00', 'é'), { maxLength: 40 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(), (text, a, b) => {
        const [start = 0, end = 0] = [a % (text.length + 1), b % (text.length + 1)].toSorted((x, y) => x - y)
        fc.pre(!isInside(text, start))
        expect(new Places(text).of(start, end)).toEqual(count(text, start, end))
      }),
      { numRuns: 2_000, seed: 7 },
    )
  })

  test('are cheap on one long line', async () => {
    const text = '😀 '.repeat(350_000)
    const places = new Places(text)
    const ms = await cpuMsOf(() => {
      for (let at = 0; at < text.length; at += 10) places.of(at, at + 5)
    })
    expect(ms).toBeLessThan(1_000)
  })
})

/** Whether an offset splits a character in two. */
const isInside = (text: string, at: number): boolean => /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1))
