import { describe, expect, test } from 'vitest'
import { lex, maxPieces, type Piece } from '../../../src/query/text/lexer.ts'

const values = (text: string): string[] => lex(text).pieces.flatMap((piece) => (piece.kind === 'value' ? [piece.text] : []))
const kinds = (text: string): Piece['kind'][] => lex(text).pieces.map(({ kind }) => kind)
const only = (text: string): Piece | undefined => lex(text).pieces[0]

describe('bare words', () => {
  test.for([
    ['sum(price)'],
    ['https://example.com/a?b=c&d=e#f'],
    ['entry.content.0.s:dict'],
    ['a|b'],
    ['it\'s'],
    ['say"so"'],
    ['a```b'],
    ['a/*b*/c'],
    ['--'],
    ['-5'],
    ['-x'],
    ['`a`'],
    ['$a$'],
    ['\\'],
    ['😀'],
  ] as const)('%s stands whole', ([word]) => {
    expect(lex(` ${word}\n`)).toEqual({ pieces: [expect.objectContaining({ kind: 'value', text: word, start: 1, end: 1 + word.length, quoting: 'bare' })], faults: [] })
  })

  test('end early only at ||', () => {
    expect(kinds('a||b|c||d')).toEqual(['value', 'separator', 'value', 'separator', 'value'])
    expect(values('a||b|c||d')).toEqual(['a', 'b|c', 'd'])
    expect(kinds('a|||b')).toEqual(['value', 'separator', 'value'])
  })

  test('are parted by white space of any script', () => {
    expect(values('a\tb\r\nc\u00a0d\u3000e\u2028f')).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })
})

describe('quoted values', () => {
  test.for([
    ['"a b"', 'a b'],
    ["'a b'", 'a b'],
    ['"it\'s"', "it's"],
    ["'say \"so\"'", 'say "so"'],
    ['"a || b"', 'a || b'],
    ['"a /* b */"', 'a /* b */'],
    ['"--a"', '--a'],
    ['"a\nb"', 'a\nb'],
    ['""', ''],
    ['"a\\"b"', 'a"b'],
    ["'a\\'b'", "a'b"],
    ['"a\\\\"', 'a\\'],
    ['"a\\\\\\"b"', 'a\\"b'],
    ['"a\\nb\\\'c"', "a\\nb\\'c"],
    ["'a\\\"b'", 'a\\"b'],
  ] as const)('%s is %s', ([written, value]) => {
    expect(lex(written)).toEqual({ pieces: [expect.objectContaining({ kind: 'value', text: value, start: 0, end: written.length })], faults: [] })
  })

  test.for([['"abc', '"'], ["x 'abc", "'"], ['```abc', '```'], ['"abc\\"', '"']] as const)('%s is not closed', ([text, expected]) => {
    const start = text.indexOf(expected)
    expect(lex(text).faults).toEqual([{ start, end: start + expected.length, message: 'the quote is not closed', expected }])
  })

  test('need white space or || behind them', () => {
    expect(lex('"a"||b').faults).toEqual([])
    expect(lex('"a"b').faults).toEqual([{ start: 3, end: 4, message: 'a quoted value must be followed by white space', expected: 'white space' }])
  })

  test('know which of their characters were escaped', () => {
    expect(only('"a\\"b\\\\c"')).toMatchObject({ text: 'a"b\\c', inside: 1, escaped: [1, 3] })
  })
})

describe('fences', () => {
  test.for([
    ['```a b```', 'a b'],
    ['```json\n{"a": 1}\n```', '{"a": 1}'],
    ['```json\r\n{}\r\n```', '{}'],
    ['```\na\n```', 'a'],
    ['```\n\na\n\n```', '\na\n'],
    ['```json {}```', 'json {}'],
    ['```json```', 'json'],
    ['```json\n```', ''],
    ['``````', ''],
    ['```a\\"b\\\\```', 'a\\"b\\\\'],
    ['```"a" || \'b\' /* c */```', '"a" || \'b\' /* c */'],
    ['```js\nif (a || b) {\n}\n  ```', 'if (a || b) {\n}'],
  ] as const)('%j holds %j', ([written, value]) => {
    expect(lex(written)).toEqual({ pieces: [expect.objectContaining({ kind: 'value', text: value, quoting: 'fence', start: 0, end: written.length })], faults: [] })
  })

  test('know where their value begins', () => {
    expect(only('```json\n{}\n```')).toMatchObject({ inside: 8 })
    expect(only('```{}```')).toMatchObject({ inside: 3 })
  })
})

describe('flags', () => {
  test('end at white space, = and ||', () => {
    expect(lex('--a --b=c --d||').pieces).toMatchObject([
      { kind: 'flag', name: 'a', glued: false, start: 0, end: 3 },
      { kind: 'flag', name: 'b', glued: true, start: 4, end: 7 },
      { kind: 'value', text: 'c', quoting: 'bare', start: 8, end: 9 },
      { kind: 'flag', name: 'd', glued: false },
      { kind: 'separator' },
    ])
  })

  test.for([
    ['--a="b c"', 'b c', 'double'],
    ["--a='b=c'", 'b=c', 'single'],
    ['--a=```b```', 'b', 'fence'],
    ['--a=b=c', 'b=c', 'bare'],
    ['--a=--b', '--b', 'bare'],
    ['--a=/*b*/', '/*b*/', 'bare'],
    ['--a=', '', 'double'],
    ['--a= b', '', 'double'],
    ['--a=||b', '', 'double'],
  ] as const)('%s has the value %j', ([text, value, quoting]) => {
    expect(lex(text).pieces[1]).toMatchObject({ kind: 'value', text: value, quoting })
  })

  test('have dots in their names', () => {
    expect(only('--credentials.oauth "x"')).toMatchObject({ kind: 'flag', name: 'credentials.oauth' })
  })
})

describe('comments', () => {
  test('start only where a token may start', () => {
    expect(kinds('/* a */ b /* || c */ d')).toEqual(['comment', 'value', 'comment', 'value'])
    expect(kinds('/*a*/b/*c*/')).toEqual(['comment', 'value'])
    expect(values('/*a*/b/*c*/')).toEqual(['b/*c*/'])
    expect(kinds('a ||/*b*/c')).toEqual(['value', 'separator', 'comment', 'value'])
  })

  test('are not nested, and span lines', () => {
    expect(values('/* a /* b\n */ c')).toEqual(['c'])
  })

  test('must be closed', () => {
    expect(lex('a /* b').faults).toEqual([{ start: 2, end: 4, message: 'the comment is not closed', expected: '*/' }])
    expect(lex('a /*/').faults).toHaveLength(1)
  })
})

test('a query of more pieces than anyone writes is read only in part, and says so', () => {
  const { pieces, faults } = lex('a '.repeat(maxPieces + 5))
  expect(pieces).toHaveLength(maxPieces)
  expect(faults).toEqual([{ start: 2 * maxPieces, end: 2 * maxPieces + 1, message: expect.stringContaining('100,000 words'), expected: 'a shorter query' }])
  expect(lex('a '.repeat(maxPieces)).faults).toEqual([])
})
