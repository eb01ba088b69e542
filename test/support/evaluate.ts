import { expect } from 'vitest'
import type { Value } from '../../src/query/expressions/ast.ts'
import { compileExpression, type Columns } from '../../src/query/expressions/compile.ts'
import { parseExpression } from '../../src/query/expressions/parse.ts'

/** The value of an expression that has no faults; tokens are looked up among the columns. */
export function evaluate(text: string, row: Columns = {}): Value {
  const { expression, faults } = parseExpression(text)
  expect(faults, text).toEqual([])
  return compileExpression(expression)(row, (token) => (Object.hasOwn(row, token) ? (row[token] ?? null) : null))
}
