import fc from 'fast-check'
import JSON5 from 'json5'
import { describe, expect, test, vi } from 'vitest'
import { Json5Reader } from '../../../src/query/json5/reader.ts'

const read = (text: string): unknown => new Json5Reader(text).read()

/** What a reader makes of a text; the words of a refusal are its own. */
function outcome(reader: (text: string) => unknown, text: string): unknown {
  try {
    return { value: reader(text) }
  } catch {
    return 'refused'
  }
}

const pieces = [
  '{', '}', '[', ']', ':', ',', ' ', '\n', '\r\n', '\u2028', '\u00a0', '// c\n', '/* c */', '/', '*', 'a', '$b', '_c', 'é', '\\u0061', 'null', 'true', 'false', 'nul', 'Infinity',
  'NaN', '0', '1', '01', '.5', '5.', '+1', '-2', '-', '0x1F', '0x', '1e3', '1e', '"x"', "'y'", '"', "'", '\\', '\\n', '\\\n', '"\\x41"', "'\\u00e9'", "'\\0'", "'\\01'", '"\\1"', "'\\q'", '"__proto__"',
  'a:1', '{a:1}', '[1,]', '{b:[2],}', '😀', "'😀'", "'\\😀'",
]

describe('Json5Reader', () => {
  test.for([
    '{}', '[]', ' [1, 2,] ', "{a: 1, 'b': \"c\", \"d\": null,}", '+.5e-3', '-0x10', '-Infinity', '"\\u0041\\x42\\v\\0\\\r\n\'"', '/* a */ 1 // b', '{__proto__: 1}', '{\\u0061b: 1}', '-0',
    '', ',', '[,]', '[1,,2]', '{,}', '{a}', '{a:}', '{1: 2}', '01', '1a', 'truex', "'a\nb'", "'a", '[1', '/* ', '/', '"\\x4"', '"\\u12"', '{\\u0031: 1}', '1 2', '--1', '+ 1',
  ])('reads %j as the reference reader does', (text) => {
    expect(outcome(read, text)).toEqual(outcome((given) => JSON5.parse(given), text))
  })

  test('reads any text as the reference reader does', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined) // the reference reader prints about line separators
    const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(texts, (text) => {
        expect(outcome(read, text)).toEqual(outcome((given) => JSON5.parse(given), text))
      }),
      { numRuns: 5_000 },
    )
    warn.mockRestore()
  })

  test('reads back what is written as JSON or as JSON5', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const written = JSON.stringify(value)
        expect(read(written)).toEqual(JSON.parse(written))
        expect(read(JSON5.stringify(JSON.parse(written), null, 1))).toEqual(JSON.parse(written))
      }),
      { numRuns: 500 },
    )
  })

  test('says what is wrong and where', () => {
    expect(() => read('{a: 1,\n b: ?}')).toThrow("invalid character '?' at 2:5")
    expect(() => read('[1')).toThrow('invalid end of input')
    expect(() => read('['.repeat(100_000))).toThrow('is nested deeper than 64 levels')
  })
})
