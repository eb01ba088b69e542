import { describe, expect, test } from 'vitest'
import { csvCell, csvHeader, csvLines } from '../../../src/query/formats/csvWriter.ts'

describe('csvCell', () => {
  test.for<[Parameters<typeof csvCell>[0], string]>([
    ['plain', 'plain'],
    [' spaced ', ' spaced '],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['a\nb', '"a\nb"'],
    ['a\rb', '"a\rb"'],
    ['', ''],
    [null, ''],
    [undefined, ''],
    [true, 'true'],
    [-5, '-5'],
    [1e21, '1e+21'],
    [0.1, '0.1'],
    ['-5', '-5'],
    ['-5.25', '-5.25'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1+1', "'-1+1"],
    ['-', "'-"],
    ['--5', "'--5"],
    ['-5e3', "'-5e3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r=1"`],
    ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
    ['a=1', 'a=1'],
  ])('writes %j as %j', ([value, cell]) => {
    expect(csvCell(value)).toBe(cell)
  })
})

describe('csvLines', () => {
  test('writes the columns in order, empty where a row has none, and never what objects inherit', () => {
    expect(csvHeader(['b', 'toString']) + csvLines(['b', 'toString'], [{ b: 1, c: 2 }, { toString: 'x' }])).toBe('b,toString\r\n1,\r\n,x\r\n')
  })

  test('writes a single empty cell so that it is no blank line, and nothing at all without columns', () => {
    expect(csvLines(['a'], [{ a: '' }, { a: null }, {}])).toBe('""\r\n""\r\n""\r\n')
    expect(csvHeader([]) + csvLines([], [{}, {}])).toBe('')
  })
})
