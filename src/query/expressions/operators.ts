import type { BinaryOperator } from './ast.ts'

/** How strongly each operator binds; the words are synonyms of the symbols. */
export const operators: Readonly<Record<string, readonly [strength: number, operator: BinaryOperator]>> = {
  or: [1, 'or'], '||': [1, 'or'],
  and: [2, 'and'], '&&': [2, 'and'],
  '==': [4, '=='], '!=': [4, '!='], '<': [4, '<'], '<=': [4, '<='], '>': [4, '>'], '>=': [4, '>='], '=~': [4, '=~'], '!~': [4, '!~'],
  in: [4, 'in'], contains: [4, 'contains'], startsWith: [4, 'startsWith'], endsWith: [4, 'endsWith'],
  '+': [5, '+'], '-': [5, '-'],
  '*': [6, '*'], '/': [6, '/'], '%': [6, '%'],
}

/** The operators that are words, for hints. */
export const operatorWords: readonly string[] = ['not', ...Object.keys(operators).filter((operator) => /^\w/.test(operator))]

/** `not` takes a whole comparison. */
export const notStrength = 3
/** `!` and `-` take only the value beside them. */
export const negateStrength = 7
