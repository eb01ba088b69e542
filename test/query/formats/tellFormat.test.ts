import { describe, expect, test } from 'vitest'
import { tellFormat } from '../../../src/query/formats/tellFormat.ts'

const tell = (content: string | Uint8Array, facts: { name?: string; contentType?: string; isWhole?: boolean } = {}) =>
  tellFormat({ name: 'x', isWhole: true, ...facts, head: Buffer.from(content) })

describe('tellFormat', () => {
  test.for<[string, string]>([
    ['', 'text'],
    ['  \n', 'text'],
    ['hello', 'text'],
    ['[]', 'json'],
    ['\ufeff {"a":1}', 'json'],
    ['{\n"a":1\n}', 'json'],
    ['{"a":1}\n{"a":2}', 'ndjson'],
    ['{"a":1}\r\n\r\n{"a":2}\r\n', 'ndjson'],
    ['[1]\n[2]', 'ndjson'],
    ['{"a":1}\nnot json', 'text'],
    ['{not json', 'text'],
    ['[see below]', 'text'],
    ['a,b\n1,2', 'csv'],
    ['a,b\r\n1,"2,3"\r\n', 'csv'],
    ['a,b', 'text'],
    ['a,b\n1,2,3', 'text'],
    ['a,a\n1,2', 'text'],
    ['a,\n1,2', 'text'],
    ['Dear all,\nplease come, or stay.', 'text'],
    ['a\u0000b', 'binary'],
  ])('tells %j by its content as %s', ([content, format]) => {
    expect(tell(content)).toBe(format)
  })

  test('tells bytes that are no text as binary, and does not mind a character that the head cuts', () => {
    expect(tell(Buffer.from('grün', 'latin1'))).toBe('binary')
    const cut = Buffer.from('grü').subarray(0, -1)
    expect(tell(cut)).toBe('binary')
    expect(tell(cut, { isWhole: false })).toBe('text')
  })

  test('does not mind a line or a JSON text that the head cuts', () => {
    expect(tell('a,b\n1,2\n3', { isWhole: false })).toBe('csv')
    expect(tell('{"a":1}\n{"a":2}\n{"a"', { isWhole: false })).toBe('ndjson')
    expect(tell('[{"a":1},{"a"', { isWhole: false })).toBe('json')
  })

  test('believes the ending rather than the content, and the content type rather than both', () => {
    expect(tell('a,b\n1,2', { name: 'x.json' })).toBe('json')
    expect(tell('a,b\n1,2', { name: 'x.JSONL' })).toBe('ndjson')
    expect(tell('[1]', { name: 'json' })).toBe('json')
    expect(tell('x', { name: 'x.csv.txt' })).toBe('text')
    expect(tell('[1]', { name: 'x.json', contentType: 'text/csv' })).toBe('csv')
    expect(tell('[1]', { name: 'x.json', contentType: 'application/x-unheard-of' })).toBe('json')
    expect(tell('[1]', { name: 'x.json', contentType: 'image/png' })).toBe('binary')
    expect(tell('[1]', { name: 'x.json', contentType: 'image/svg+xml' })).toBe('text')
    expect(tell('x', { contentType: 'application/problem+json' })).toBe('json')
  })
})
