import { describe, expect, test } from 'vitest'
import { readTemplate } from '../../../src/query/text/fill.ts'

const shape = (value: string): string[] => readTemplate(value).parts.map((part) => ('token' in part ? `<${part.token}>` : part.text))

describe('readTemplate', () => {
  test.for([
    ['', []],
    ['plain', ['plain']],
    ['$a$', ['<a>']],
    ['x$a$y', ['x', '<a>', 'y']],
    ['$a$$b$', ['<a>', '<b>']],
    ['$response.sid.0$', ['<response.sid.0>']],
    ['$first name$', ['<first name>']],
    ['$Price:$', ['<Price:>']],
    ['$CREDENTIALS.my key$', ['<CREDENTIALS.my key>']],
    ['$__proto__$', ['<__proto__>']],
  ] as const)('finds tokens in %j', ([value, parts]) => {
    expect(shape(value)).toEqual(parts)
  })

  test.for([
    ['$$', '$'],
    ['$$$$', '$$'],
    ['$$a$$', '$a$'],
    ['costs $$5', 'costs $5'],
    ['$', '$'],
    ['a$', 'a$'],
    ['$$$', '$$'],
    ['$5 and $6', '$5 and $6'],
    ['$ a$', '$ a$'],
    ['$a\nb$', '$a\nb$'],
    ['$5,$6', '$5,$6'],
    ['($n:Int){items(first:$n)}', '($n:Int){items(first:$n)}'],
    ['($n:Int,$m:Int){items(first:$n,size:$m)}', '($n:Int,$m:Int){items(first:$n,size:$m)}'],
  ] as const)('%j holds no token and reads %j', ([value, text]) => {
    expect(shape(value).join('')).toBe(text)
    expect(readTemplate(value).parts.every((part) => 'text' in part)).toBe(true)
  })

  test('tries the second dollar again where the first opened nothing', () => {
    expect(shape('$ a $b$')).toEqual(['$ a ', '<b>'])
  })

  test('tells where the tokens stand', () => {
    expect(readTemplate('x$a$').parts).toEqual([{ text: 'x' }, { token: 'a', start: 1, end: 4 }])
  })

  test('complains of a name that ends in a dot', () => {
    expect(readTemplate('$CREDENTIALS.$').faults).toEqual([{ start: 0, end: 14, message: 'the token names nothing behind its last dot', expected: 'a name' }])
    expect(readTemplate('$a.b$').faults).toEqual([])
  })

  test('takes no name longer than a thousand characters', () => {
    expect(shape(`$${'a'.repeat(1_000)}$`)).toEqual([`<${'a'.repeat(1_000)}>`])
    expect(shape(`$${'a'.repeat(1_001)}$`)).toEqual([`$${'a'.repeat(1_001)}$`])
  })
})
