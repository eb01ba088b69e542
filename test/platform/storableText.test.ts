import { describe, expect, test } from 'vitest'
import { storableJson, storableText } from '../../src/platform/storableText.ts'

describe('storableText', () => {
  test('puts another character in place of NUL and of half a surrogate pair', () => {
    expect(storableText('a\0b\ud800c\udc00d😀')).toBe('a\ufffdb\ufffdc\ufffdd😀')
  })
})

describe('storableJson', () => {
  test('leaves out what PostgreSQL cannot hold, in keys too, and keeps everything else', () => {
    const value = { 'k\0': ['\ud800', '\udfff!', '\u0001', '\\u0000', '\\\\u0000', '\\\0', 'é😀', '\ufffe'], n: 1 }
    expect(JSON.parse(storableJson(value))).toEqual({ 'k\ufffd': ['\ufffd', '\ufffd!', '\u0001', '\\u0000', '\\\\u0000', '\\\ufffd', 'é😀', '\ufffe'], n: 1 })
  })
})
