import { describe, expect, test } from 'vitest'
import type { Value } from '../../../src/query/expressions/ast.ts'
import { compileExpression } from '../../../src/query/expressions/compile.ts'
import { parseExpression } from '../../../src/query/expressions/parse.ts'
import { evaluate } from '../../support/evaluate.ts'

const row = { n: 5, t: '5', word: 'abc', yes: true, no: false, empty: '', nil: null, zero: 0 }

function table(cases: readonly (readonly [string, Value])[]): void {
  test.for(cases)('%s is %j', ([text, value]) => {
    expect(evaluate(text, row)).toEqual(value)
  })
}

describe('literals', () => {
  table([
    ['1', 1], ['1.5', 1.5], ['.5', 0.5], ['1e3', 1000], ['1E-2', 0.01], ['1e+2', 100], ['-3', -3], ['- 3', -3], ['-0', 0],
    ["'a'", 'a'], ['"a"', 'a'], ["'it\\'s'", "it's"], ["'a\\\\b'", 'a\\b'], ["'a\\nb'", 'a\\nb'], ["''", ''], ["'a\nb'", 'a\nb'],
    ['true', true], ['false', false], ['null', null], ['[]', []], ["[1, 'a', [true]]", [1, 'a', [true]]], ['[1,]', [1]], ["'$$5'", '$5'],
  ])
})

describe('comparison', () => {
  table([
    ['1 == 1', true], ['1 != 1', false], ['1 < 2', true], ['2 < 2', false], ['2 <= 2', true], ['3 > 2', true], ['2 > 2', false], ['2 >= 2', true],
    ["'a' < 'b'", true], ["'b' <= 'a'", false], ["'10' < '9'", true], ['false < true', true],
    ["[1, 2] == [1, '2']", true], ['[1] == [1, 2]', false], ['[] == []', true], ['[1] < [2]', false],
  ])
})

describe('numeric text', () => {
  table([
    ['t == 5', true], ['5 == t', true], ['t != 5', false], ['t < 6', true], ['t >= 5', true], ["'5.0' == 5", true], ["' 5 ' == 5", true], ["'5' == '5.0'", false],
    ["'x' == 5", false], ["'x' < 5", false], ["'x' > 5", false], ["'x' != 5", true], ["'0x10' == 16", false], ["'' == 0", false], ["'1e999' > 5", false],
    ['true == 1', false], ["'true' == true", false], ['false == 0', false],
    ["t in [5]", true], ["5 in ['5']", true], ["'5.0' in [5]", true], ["'5.0' in ['5']", false], ["5 in ['5.0']", true], ['true in [1]', false], ["[1] in [[1]]", true],
  ])
})

describe('null', () => {
  table([
    ['missing', null], ['missing == null', true], ['nil == null', true], ['missing != null', false], ['missing == nil', true], ["missing == ''", false], ['missing == 0', false],
    ['missing < 1', false], ['missing >= 1', false], ['missing <= null', false], ['null < null', false],
    ['missing + 1', null], ["'a' + missing", null], ['missing * 2', null], ['-missing', null], ['not missing', true],
    ["missing =~ 'a'", false], ["missing =~ ''", false], ["missing !~ 'a'", true], ["missing contains 'a'", false], ["missing startsWith ''", false], ["word endsWith missing", false],
    ['missing in [1, null]', true], ['missing in [1]', false], ['missing not in [1]', true], ["missing in 'abc'", false], ['word in missing', false], ['missing in [nil]', true],
  ])
})

describe('texts and lists', () => {
  table([
    ["word contains 'b'", true], ["word contains 'B'", false], ["word contains ''", true], ["[1, 2] contains 2", true], ["[1, 2] contains 3", false], ['1234 contains 23', true],
    ["word startsWith 'ab'", true], ["word startsWith 'b'", false], ["word endsWith 'bc'", true], ["word endsWith 'b'", false],
    ["'b' in word", true], ["'b' in ['a', 'b']", true], ["'x' not in ['a', 'b']", true], ["'a' not in ['a', 'b']", false], ["'x' not in word", true], ["word in ['x', word]", true], ['1 in []', false],
    ["word =~ '^a.c$'", true], ["word =~ 'B'", false], ["word =~ '(?i)B'", true], ["word !~ 'x'", true], ["word !~ 'b'", false], ["n =~ '^5$'", true], ["word =~ 'a' + '.c'", true],
  ])
})

describe('arithmetic', () => {
  table([
    ['1 + 2', 3], ['5 - 7', -2], ['3 * 4', 12], ['1 / 4', 0.25], ['7 % 4', 3], ['1 / 0', null], ['1 % 0', null], ['t * 2', 10], ["t + 1", 6], ["1 + t", 6],
    ["'a' + 'b'", 'ab'], ["'1' + '2'", '12'], ["'a' + 1", 'a1'], ["1 + 'a'", '1a'], ["'a' * 2", null], ['true + 1', 'true1'], ['1e308 + 1e308', null], ['1e308 * 10', null],
  ])
})

describe('logic', () => {
  table([
    ['yes and no', false], ['yes or no', true], ['yes && yes', true], ['no || no', false], ['not yes', false], ['!no', true], ['1 and word', true], ['0 or empty', false],
    ['not zero', true], ["not '0'", false], ['not []', true], ['not [0]', false], ['null or nil', false],
  ])
})

describe('precedence', () => {
  table([
    ['1 + 2 * 3', 7], ['(1 + 2) * 3', 9], ['10 - 2 - 3', 5], ['100 / 10 / 5', 2], ['2 * 7 % 4', 2], ['-2 * 3', -6], ['1 - -2', 3], ['- (1 + 2)', -3],
    ['1 + 1 == 2', true], ['1 < 2 == true', true], ['true or false and false', true], ['(true or false) and false', false], ['true and false or true', true],
    ['not 1 == 2', true], ['not true or true', true], ['not false and false', false], ['!no == true', true], ['not not yes', true], ['not n in [5]', false], ['1 == 2 or 3 == 3', true],
    ["'a' + 'b' == 'ab'", true], ['1 + 1 in [2]', true], ['2 not in [1] and 1 in [1]', true],
  ])

  test.for([['false and $x$', false], ['true or $x$', true], ['1 == 1 or $x$ == 2 or $x$', true], ['false and $x$ or true', true]] as const)('%s does not look at what cannot matter', ([text, value]) => {
    const compiled = compileExpression(parseExpression(text).expression)
    const unwanted = (): never => {
      throw new Error('this was looked up')
    }
    expect(compiled({}, unwanted)).toBe(value)
  })
})
