import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { fillScript } from '../../../src/query/browser/script.ts'
import type { Value } from '../../../src/query/expressions/ast.ts'
import { readTemplate } from '../../../src/query/text/fill.ts'

const filled = (text: string, value: Value): string => fillScript(readTemplate(text).parts)({}, () => value)

describe('JavaScript with tokens', () => {
  test.for(["it's", '"', '`${1}`', '\\', 'a\nb', '</script>', '😀 ü', '*/ //', '-', ' ', ''])('holds %j as data inside any string', (value) => {
    for (const quote of ["'", '"', '`']) expect(runInNewContext(filled(`${quote}<$v$>${quote}`, value))).toBe(`<${value}>`)
    expect(runInNewContext(filled('/^$v$$$/.test(text)', value), { text: value })).toBe(true)
  })

  test.for([[5, 6], [-2.5, -1.5], ['7', 8], ['-1.5', -0.5], [true, 2]] as const)('counts with %j', ([value, sum]) => {
    expect(runInNewContext(filled('1 + $v$', value))).toBe(sum)
  })

  test.for(['1); call(); (1', 'call()', '(() => call())()', "x'; call(); '", 'a,call`1`', '1\ncall()', '1//', '1e5.x'])('never runs %j', (value) => {
    let called = false
    const call = (): void => void (called = true)
    for (const text of ['$v$', '($v$)', '[1, $v$]', "'$v$'", '$v$;1', '`${$v$}`']) {
      try {
        runInNewContext(filled(text, value), { call })
      } catch {
        // Data that stands where only code can is a mistake of the query.
      }
    }
    expect(called).toBe(false)
  })

  test.for(['() => document.title', 'it\'s "so"', '\u2028', 7, -2.5, true, null])('that is one token alone is the value %j', (value) => {
    expect(runInNewContext(`(${filled('$v$', value)})`)).toBe(value)
  })
})
