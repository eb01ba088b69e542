import { describe, expect, test } from 'vitest'
import { evaluate } from '../../support/evaluate.ts'

describe('columns', () => {
  test.for([
    'name', 'a.b', 'entry.content.0.s:dict', '_page.url', '_x', '0.name', '2xx', 'größe', 'नमस्ते', 'a.0', '@id', 'a:b.c_d.9', 'notes', 'order', 'android', 'inner', 'nullable', 'e5', 'Infinity', 'NaN', 'undefined',
    '__proto__', 'constructor', 'toString',
  ])('%s stands as it is', (name) => {
    expect(evaluate(`${name} == 7`, Object.fromEntries([[name, 7]]))).toBe(true)
    expect(evaluate(name, {})).toBeNull()
  })

  test.for(['a-b', 'a b', 'in', 'not', 'and', 'true', '404', 'a[0]', 'x$y', '$x$', '"quoted"', "it's", '', 'a\nb', '😀', '__proto__'])('%j stands in back-quotes', (name) => {
    expect(evaluate(`\`${name}\` == 7`, Object.fromEntries([[name, 7]]))).toBe(true)
  })

  test('are told apart from subtraction and numbers', () => {
    expect(evaluate('a-b', { a: 5, b: 3 })).toBe(2)
    expect(evaluate('1.5.a', { '1.5.a': 'yes' })).toBe('yes')
    expect(evaluate('1e5', { '1e5': 'no' })).toBe(100_000)
  })

  test('keep their case', () => {
    expect(evaluate('Name', { name: 1 })).toBeNull()
  })
})

describe('tokens', () => {
  const row = { a: 5, 'first name': 'Ada', hostile: "' or true or '", list: 'x) or (true', dollars: '$a$', quote: '"', pattern: '^.*$', none: null }

  test('are variables that keep their type', () => {
    expect(evaluate('$a$', row)).toBe(5)
    expect(evaluate('$a$ + 1 == 6', row)).toBe(true)
    expect(evaluate('$first name$', row)).toBe('Ada')
    expect(evaluate("'$a$'", row)).toBe(5)
    expect(evaluate('$missing$ == null', row)).toBe(true)
  })

  test('are variables inside string literals too', () => {
    expect(evaluate("'x$a$y'", row)).toBe('x5y')
    expect(evaluate("'$a$$a$'", row)).toBe('55')
    expect(evaluate("'[$none$]'", row)).toBe('[]')
    expect(evaluate("'$$a$$'", row)).toBe('$a$')
  })

  test('hold data, whatever it looks like', () => {
    expect(evaluate("'$hostile$' == 'x'", row)).toBe(false)
    expect(evaluate("'x$hostile$' == 'x'", row)).toBe(false)
    expect(evaluate('$list$ == 1', row)).toBe(false)
    expect(evaluate("'$dollars$' == '$$a$$'", row)).toBe(true)
    expect(evaluate("'<$dollars$>'", row)).toBe('<$a$>')
    expect(evaluate('$quote$', row)).toBe('"')
    expect(evaluate("hostile == '' or false", row)).toBe(false)
  })

  test('may be patterns; one that cannot be read is found nowhere', () => {
    expect(evaluate('a =~ $pattern$', row)).toBe(true)
    expect(evaluate('a =~ $list$', row)).toBe(false)
    expect(evaluate('a !~ $list$', row)).toBe(true)
  })
})
