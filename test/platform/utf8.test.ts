import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unfinishedBytes, Utf8Gate } from '../../src/platform/utf8.ts'

/** What comes out of the gate when bytes go in by slices. */
function pass(bytes: Buffer, length: number): string {
  const gate = new Utf8Gate((byte) => new Error(`wrong at ${byte}`))
  let text = ''
  for (let at = 0; at < bytes.length; at += length) text += gate.take(bytes.subarray(at, at + length)).toString()
  gate.end()
  return text
}

describe('Utf8Gate', () => {
  test('lets any text through, however it is cut', () => {
    const cuts = fc.integer({ min: 1, max: 9 })
    fc.assert(fc.property(fc.string({ unit: 'binary' }), cuts, (text, length) => pass(Buffer.from(`x${text}`), length) === `x${text}`))
  })

  test('takes the byte-order mark off the beginning, and off nothing else', () => {
    for (const length of [1, 2, 3, 4, 100]) {
      expect(pass(Buffer.from('\ufeffa\ufeffb'), length)).toBe('a\ufeffb')
      expect(pass(Buffer.from('\ufeff'), length)).toBe('')
      expect(pass(Buffer.from('\ufeff\ufeff'), length)).toBe('\ufeff')
    }
  })

  test.for<[string, number[], number]>([
    ['a byte that begins nothing', [0x61, 0xff, 0x61], 2],
    ['a byte that only goes on', [0x61, 0x62, 0x80, 0x61], 3],
    ['a character that is cut by another', [0x61, 0xe4, 0x61], 2],
    ['a character that is written too long', [0xc0, 0x80, 0x61], 1],
    ['half a surrogate pair', [0x61, 0xed, 0xa0, 0x80, 0x61], 2],
    ['a character beyond the last one', [0xf5, 0x80, 0x80, 0x80], 1],
    ['a character that the end cuts', [0x61, 0xf0, 0x9f], 2],
  ])('refuses %s and says where', ([, bytes, place]) => {
    for (const length of [1, 2, 100]) expect(() => pass(Buffer.from(bytes), length)).toThrow(`wrong at ${place}`)
  })

  test('counts the bytes at the end that begin a character', () => {
    expect([[], [0x61], [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xc3, 0xa4], [0x80, 0x80, 0x80, 0x80]].map((bytes) => unfinishedBytes(Uint8Array.from(bytes)))).toEqual([0, 0, 1, 2, 3, 0, 0])
  })
})
