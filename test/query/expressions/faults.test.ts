import { describe, expect, test } from 'vitest'
import { parseExpression } from '../../../src/query/expressions/parse.ts'
import { evaluate } from '../../support/evaluate.ts'
import { cpuMsOf } from '../../support/cpuMs.ts'

/** What is wrong, with the part of the text that it points at. */
const faultsOf = (text: string): (readonly [string, string])[] => parseExpression(text, 0).faults.map(({ start, end, message }) => [text.slice(start, end), message] as const)

describe('faults of expressions', () => {
  test.for([
    ['', '', 'the expression ends too early'],
    ['a ==', '', 'the expression ends too early'],
    ['== a', '==', '== cannot stand here'],
    ['and a', 'and', 'and needs a value on its left'],
    ['a b', 'b', 'the expression should have ended here'],
    ['a not 5', 'not', 'the expression should have ended here'],
    ["a not 'in'", 'not', 'the expression should have ended here'],
    ['(a', '', ') is missing'],
    ['a)', ')', 'the expression should have ended here'],
    ['[1 2]', '2', 'the list goes on without a comma'],
    ["'abc", "'", 'the string is not closed'],
    ['`abc', '`', 'the column name is not closed'],
    ['a = 5', '=', 'this character has no meaning in an expression'],
    ['a 😀', '😀', 'this character has no meaning in an expression'],
    ['$a', '$', 'this character has no meaning in an expression'],
    ['$ a $', '$ a $', 'this is not a token'],
    ['$a.$', '$a.$', 'the token names nothing behind its last dot'],
    ["'x$a.$'", '$a.$', 'the token names nothing behind its last dot'],
    ["'\\'$a.$'", '$a.$', 'the token names nothing behind its last dot'],
    ['1e999', '1e999', 'the number is too large'],
  ] as const)('%s: %s: %s', ([text, where, message]) => {
    expect(faultsOf(text)[0]).toEqual([where, message])
  })

  test('are all told, each place once', () => {
    expect(faultsOf('lowr(#) + uper(~)').map(([where]) => where)).toEqual(['#', '~', 'lowr', 'uper'])
  })

  test('carry offsets into the query', () => {
    expect(parseExpression('a b', 100).faults).toEqual([{ start: 102, end: 103, message: 'the expression should have ended here', expected: 'an operator such as and, or, ==' }])
  })

  test('hint at the operator that was meant', () => {
    expect(parseExpression('a AND b').faults).toMatchObject([{ hint: 'and' }])
    expect(parseExpression('a = 1').faults[0]).toMatchObject({ start: 2, end: 3, expected: '== for equality' })
    expect(parseExpression("a startWith 'b'").faults).toMatchObject([{ hint: 'startsWith' }])
  })

  test('stay few in a text full of them', () => {
    expect(parseExpression('# '.repeat(10_000)).faults.length).toBeLessThanOrEqual(200)
  })
})

describe('patterns that stand in the text', () => {
  test.for([
    ["a =~ '('", "'('"],
    ["a !~ '[z-a]'", "'[z-a]'"],
    ["b and a =~ 'x(?=y)'", "'x(?=y)'"],
    ["a =~ '(a)\\1'", "'(a)\\1'"],
    ["matches(a, '*')", "'*'"],
    ["a =~ '(abcdefghijklmnopqrstuvwxyz){1000}'", "'(abcdefghijklmnopqrstuvwxyz){1000}'"],
  ] as const)('%s cannot be read', ([text, where]) => {
    expect(faultsOf(text)).toEqual([[where, expect.stringContaining('the pattern cannot be read: ')]])
  })

  test('have a bound to their size', () => {
    expect(faultsOf(`a =~ '${'x'.repeat(20_000)}'`)).toEqual([])
    expect(faultsOf(`a =~ '${'x'.repeat(20_001)}'`).map(([, message]) => message)).toEqual([expect.stringContaining('too large')])
  })

  test('count classes of characters as more than their letters', () => {
    expect(faultsOf("a =~ '[\\p{L}\\p{N} ]{1,255}'")).toEqual([])
    expect(faultsOf(`a =~ '${'\\pL'.repeat(600)}'`)).toEqual([])
    expect(faultsOf(`a =~ '${'\\pL'.repeat(700)}'`).map(([, message]) => message)).toEqual([expect.stringContaining('too large')])
  })

  test('are not judged while they hold tokens', () => {
    expect(faultsOf("a =~ '($b$'")).toEqual([])
  })

  test('run in linear time', async () => {
    const ms = await cpuMsOf(() => {
      expect(evaluate("a =~ '^(a+)+$'", { a: `${'a'.repeat(50_000)}!` })).toBe(false)
      expect(evaluate('a =~ b', { a: `${'a'.repeat(50_000)}!`, b: '^(a|a)*$' })).toBe(false)
    })
    expect(ms).toBeLessThan(5_000)
  })
})

describe('nesting', () => {
  const nested = (depth: number): string => '('.repeat(depth) + '1' + ')'.repeat(depth)

  test('is taken up to a bound', () => {
    expect(evaluate(nested(190))).toBe(1)
    expect(faultsOf(nested(300))[0]?.[1]).toBe('the expression is nested deeper than 200 levels')
  })

  test.for(['not ', '-', '!', '[', 'lower(', '1 + (', '(not -'])('of %j without end is refused', (unit) => {
    expect(faultsOf(unit.repeat(20_000)).some(([, message]) => message.includes('nested deeper'))).toBe(true)
  })

  test('is not what a long row of operators is', () => {
    expect(evaluate(`${'1 + '.repeat(40_000)}1`)).toBe(40_001)
    expect(evaluate(`${'false or '.repeat(40_000)}true`)).toBe(true)
    expect(evaluate(`a in [${'0, '.repeat(40_000)}5]`, { a: '5' })).toBe(true)
  })
})
