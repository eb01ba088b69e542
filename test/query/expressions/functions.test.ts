import { describe, expect, test } from 'vitest'
import type { Value } from '../../../src/query/expressions/ast.ts'
import { functions } from '../../../src/query/expressions/functions.ts'
import { parseExpression } from '../../../src/query/expressions/parse.ts'
import { evaluate } from '../../support/evaluate.ts'

const cases: Readonly<Record<string, readonly (readonly [string, Value])[]>> = {
  lower: [["lower('ÄB')", 'äb'], ['lower(null)', null], ['lower(5)', '5']],
  upper: [["upper('äb')", 'ÄB'], ['upper(missing)', null]],
  trim: [["trim(' a ')", 'a'], ['trim(null)', null]],
  length: [["length('a😀')", 2], ['length([1, 2, 3])', 3], ['length(null)', 0], ['length(1234)', 4]],
  number: [["number('5.5')", 5.5], ["number('x')", null], ['number(true)', 1], ['number(null)', null], ["number('1e999')", null]],
  string: [['string(5)', '5'], ['string(null)', ''], ['string([1, 2])', '1,2'], ['string(true)', 'true']],
  round: [
    ['round(2.5)', 3], ['round(1.005, 2)', 1.01], ['round(1234, -2)', 1200], ["round('1.25', 1)", 1.3], ['round(null)', null], ["round('x')", null],
    ['round(1e21)', 1e21], ['round(1e-7, 2)', 0], ['round(-0.2)', 0], ['round(1e300, 15)', 1e300], ['round(1.5, null)', 2],
  ],
  abs: [['abs(-3)', 3], ["abs('-3')", 3], ['abs(null)', null]],
  min: [['min(3, 1, 2)', 1], ["min([3, '1'], 2)", 1], ["min('x', null)", null], ["min('x', 4)", 4]],
  max: [['max(3, 1, 2)', 3], ["max(['30', 1], 2)", 30], ['max([])', null]],
  coalesce: [["coalesce(missing, null, 'a', 'b')", 'a'], ['coalesce(null)', null], ["coalesce('', 1)", ''], ['coalesce(false, 1)', false]],
  exists: [['exists(missing)', false], ["exists('')", true], ['exists(0)', true]],
  now: [['now() > 1700000000000', true]],
  date: [
    ["date('2024-01-02')", 1704153600000], ["date('2024-01-02T03:04:05Z')", 1704164645000], ["date('2024-01-02T03:04:05+01:00')", 1704161045000],
    ["date('2024-01-02T03:04:05')", 1704164645000], ["date('2024-01-02 03:04')", 1704164640000], ["date('x')", null], ['date(null)', null], ['date(5)', 5], ["date('March 1, 2024')", 1709251200000], ["date('2024-02-30')", null],
  ],
  replace: [["replace('a.b.c', '.', '-')", 'a-b-c'], ["replace('abc', '', 'x')", 'abc'], ["replace(null, 'a', 'b')", null], ["replace('aa', 'a', '$&')", '$&$&'], ["replace('a1', 1, 2)", 'a2']],
  matches: [["matches('abc', 'b')", true], ["matches('abc', '^b')", false], ["matches(null, '')", false]],
  split: [["split('a,b', ',')", ['a', 'b']], ["split(null, ',')", null], ["split('ab', 'x')", ['ab']]],
  join: [["join(['a', 1], '-')", 'a-1'], ['join([1, 2])', '1,2'], ["join('a', '-')", 'a'], ['join(null)', '']],
  substr: [["substr('abcd', 1)", 'bcd'], ["substr('abcd', 1, 2)", 'bc'], ["substr('abcd', -2)", 'cd'], ["substr('a😀b', 1, 1)", '😀'], ["substr('ab', 5)", ''], ["substr('ab', 0, -1)", ''], ['substr(null, 1)', null]],
}

test('every function has cases here', () => {
  expect(Object.keys(cases)).toEqual(Object.keys(functions))
})

describe('functions', () => {
  test.for(Object.values(cases).flat())('%s is %j', ([text, value]) => {
    expect(evaluate(text)).toEqual(value)
  })

  test('nest, and stand beside columns of the same name', () => {
    expect(evaluate("upper(trim(lower)) + length(length)", { lower: ' a ', length: 'xyz' })).toBe('A3')
  })

  test.for([
    ['lower()', 'lower takes 1 value', 'lower(text)'],
    ['round(1, 2, 3)', 'round takes 1 to 2 values', 'round(number, digits)'],
    ['now(1)', 'now takes 0 values', 'now()'],
  ] as const)('%s has a wrong number of values', ([text, message, expected]) => {
    expect(parseExpression(text, 4).faults).toEqual([{ start: 4, end: 4 + text.indexOf('('), message, expected }])
  })

  test('of many values have a bound', () => {
    const call = (count: number): string => `min(${'1, '.repeat(count - 1)}0)`
    expect(evaluate(call(255))).toBe(0)
    expect(parseExpression(call(256)).faults).toMatchObject([{ message: 'min takes 1 to 255 values' }])
  })

  test('an unknown one is a fault with the nearest name', () => {
    expect(parseExpression('1 + lowr(a)', 10).faults).toEqual([{ start: 14, end: 18, message: 'there is no function lowr', expected: Object.keys(functions).join(', '), hint: 'lower' }])
  })

  test.for(['constructor(1)', 'toString()', '__proto__(1)', 'hasOwnProperty(a)'])('%s is unknown, whatever objects inherit', (text) => {
    expect(parseExpression(text).faults).toMatchObject([{ start: 0, message: expect.stringContaining('there is no function') }])
  })
})
