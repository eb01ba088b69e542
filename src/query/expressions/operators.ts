import type { BinaryOperator } from './ast.ts'

/** An operator and how strongly it binds. */
export interface Operator {
  readonly operator: BinaryOperator
  readonly strength: number
}

const bySymbol: Readonly<Record<string, readonly [strength: number, operator: BinaryOperator]>> = {
  or: [1, 'or'], '||': [1, 'or'],
  and: [2, 'and'], '&&': [2, 'and'],
  '==': [4, '=='], '!=': [4, '!='], '<': [4, '<'], '<=': [4, '<='], '>': [4, '>'], '>=': [4, '>='], '=~': [4, '=~'], '!~': [4, '!~'],
  in: [4, 'in'], contains: [4, 'contains'], startsWith: [4, 'startsWith'], endsWith: [4, 'endsWith'],
  '+': [5, '+'], '-': [5, '-'],
  '*': [6, '*'], '/': [6, '/'], '%': [6, '%'],
}

/** The operators of one symbol by what is written; some words are synonyms of symbols. */
export const operators: ReadonlyMap<string, Operator> = new Map(
  Object.entries(bySymbol).map(([symbol, [strength, operator]]) => [symbol, { operator, strength }]),
)

/** The one operator of two words. */
export const notIn: Operator = { operator: 'not in', strength: 4 }

/** The operators that are words, for hints. */
export const operatorWords: readonly string[] = ['not', ...[...operators.keys()].filter((operator) => /^\w/.test(operator))]

/** `not` takes a whole comparison. */
export const notStrength = 3
/** `!` and `-` take only the value beside them. */
export const negateStrength = 7
