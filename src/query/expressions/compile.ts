import type { Part } from '../text/fill.ts'
import { joinMade, made } from '../text/made.ts'
import type { BinaryOperator, Expression, Value } from './ast.ts'
import { functions } from './functions.ts'
import { compilePattern, isFound } from './patterns.ts'
import { areEqual, asNumber, asText, compare, isTrue } from './values.ts'

/** A row as expressions see it. */
export type Columns = Readonly<Record<string, Value | undefined>>

/** Finds the value of a token such as `TIMESTAMP` or a column's name. */
export type Lookup = (token: string) => Value

/** An expression that is ready to run, once a row. */
export type Compiled = (row: Columns, lookup: Lookup) => Value

/** An expression that is made ready when it first runs: texts are read more often than they run. */
export function compileLater(expression: Expression): Compiled {
  let compiled: Compiled | undefined
  return (row, lookup) => {
    compiled ??= compileExpression(expression)
    return compiled(row, lookup)
  }
}

/** Turns a tree into nested closures: nothing is generated as code, and nothing is looked up twice. */
export function compileExpression(expression: Expression): Compiled {
  switch (expression.kind) {
    case 'literal': return constant(expression.value)
    case 'column': return column(expression.name)
    case 'data': return data(expression.parts)
    case 'list': return list(expression.items.map(compileExpression))
    case 'call': return call(expression.name, expression.items.map(compileExpression))
    case 'not': return negation(compileExpression(expression.item))
    case 'negate': return negative(compileExpression(expression.item))
    case 'binary': return chain(expression)
  }
}

const constant = (value: Value): Compiled => () => value

/** A missing column is null; names of the prototype are columns like any other. */
const column = (name: string): Compiled => (row) => (Object.hasOwn(row, name) ? (row[name] ?? null) : null)

const data = (parts: readonly Part[]): Compiled => {
  const [only] = parts
  if (parts.length === 1 && only && 'token' in only) return (_row, lookup) => lookup(only.token)
  return (_row, lookup) => joinMade(parts.map((part) => ('token' in part ? asText(lookup(part.token)) : part.text)))
}

const list = (items: readonly Compiled[]): Compiled => (row, lookup) => items.map((item) => item(row, lookup))

const call = (name: string, items: readonly Compiled[]): Compiled => {
  const known = Object.hasOwn(functions, name) ? functions[name] : undefined
  if (!known) return constant(null)
  return (row, lookup) => known.run(...items.map((item) => item(row, lookup)))
}

const negation = (item: Compiled): Compiled => (row, lookup) => !isTrue(item(row, lookup))

const negative = (item: Compiled): Compiled => (row, lookup) => {
  const number = asNumber(item(row, lookup))
  return number === null ? null : 0 - number // which is never -0
}

/** One operator and what stands on its right. */
type Step = (left: Value, row: Columns, lookup: Lookup) => Value

/** Operators one behind the other run in a loop: a text may hold more of them than the stack could nest. */
function chain(expression: Expression): Compiled {
  const steps: Step[] = []
  let first = expression
  for (; first.kind === 'binary'; first = first.left) steps.push(stepOf(first.operator, first.right))
  const begin = compileExpression(first)
  const [only] = steps
  if (only && steps.length === 1) return (row, lookup) => only(begin(row, lookup), row, lookup)
  steps.reverse()
  return (row, lookup) => steps.reduce((left, step) => step(left, row, lookup), begin(row, lookup))
}

function stepOf(operator: BinaryOperator, expression: Expression): Step {
  const right = compileExpression(expression)
  if (operator === 'and') return (left, row, lookup) => isTrue(left) && isTrue(right(row, lookup))
  if (operator === 'or') return (left, row, lookup) => isTrue(left) || isTrue(right(row, lookup))
  const known = expression.kind === 'literal' || expression.kind === 'list' ? stepWith(operator, expression) : null
  if (known) return known
  const apply = applied[operator]
  return (left, row, lookup) => apply(left, right(row, lookup))
}

/** Patterns and lists that stand in the text are made ready once, not for each row. */
function stepWith(operator: BinaryOperator, expression: Extract<Expression, { kind: 'literal' | 'list' }>): Step | null {
  if (expression.kind === 'literal') return typeof expression.value === 'string' ? stepWithPattern(operator, expression.value) : null
  const items = expression.items.flatMap((item) => (item.kind === 'literal' ? [item.value] : []))
  if ((operator !== 'in' && operator !== 'not in') || items.length < expression.items.length) return null
  const holds = memberOf(items)
  return operator === 'in' ? holds : (left) => !holds(left)
}

function stepWithPattern(operator: BinaryOperator, text: string): Step | null {
  if (operator !== '=~' && operator !== '!~') return null
  let pattern: ReturnType<typeof compilePattern> | undefined
  const holds = (left: Value): boolean => {
    if (left === null) return false
    pattern ??= compilePattern(text) // the parser has refused patterns that cannot be read
    return pattern.matcher(asText(left)).find()
  }
  return operator === '=~' ? holds : (left) => !holds(left)
}

/** Membership as `areEqual` has it, by look-up: numeric text equals a number, and everything its like. */
function memberOf(items: readonly Value[]): (value: Value) => boolean {
  const like = new Set(items)
  const numbers = new Set(items.filter((item) => typeof item === 'number'))
  const read = new Set(items.map(asNumber).filter((number) => number !== null))
  return (value) => {
    if (typeof value === 'number') return read.has(value)
    if (like.has(value)) return true
    const number = numbers.size > 0 ? asNumber(value) : null
    return number !== null && numbers.has(number)
  }
}

type Apply = (left: Value, right: Value) => Value

const ordered = (holds: (order: number) => boolean): Apply => (left, right) => {
  const order = compare(left, right)
  return order !== null && holds(order)
}

const arithmetic = (run: (a: number, b: number) => number): Apply => (left, right) => {
  const [a, b] = [asNumber(left), asNumber(right)]
  const result = a === null || b === null ? Number.NaN : run(a, b)
  return Number.isFinite(result) ? result : null
}

const add = arithmetic((a, b) => a + b)

/** Numbers and numeric text are added, unless both are text; anything else is joined. */
const plus: Apply = (left, right) => {
  if (left === null || right === null) return null
  const isSum = (typeof left === 'number' || typeof right === 'number') && asNumber(left) !== null && asNumber(right) !== null
  return isSum ? add(left, right) : made(asText(left) + asText(right))
}

const isMember: (item: Value, list: Value) => boolean = (item, list) =>
  typeof list === 'object' && list !== null ? list.some((other) => areEqual(item, other)) : list !== null && item !== null && asText(list).includes(asText(item))

const onTexts = (holds: (a: string, b: string) => boolean): Apply => (left, right) => left !== null && right !== null && holds(asText(left), asText(right))

const applied: Readonly<Record<Exclude<BinaryOperator, 'and' | 'or'>, Apply>> = {
  '==': areEqual,
  '!=': (left, right) => !areEqual(left, right),
  '<': ordered((order) => order < 0),
  '<=': ordered((order) => order <= 0),
  '>': ordered((order) => order > 0),
  '>=': ordered((order) => order >= 0),
  '=~': (left, right) => left !== null && isFound(asText(right), asText(left)),
  '!~': (left, right) => left === null || !isFound(asText(right), asText(left)),
  in: isMember,
  'not in': (left, right) => !isMember(left, right),
  contains: (left, right) => isMember(right, left),
  startsWith: onTexts((a, b) => a.startsWith(b)),
  endsWith: onTexts((a, b) => a.endsWith(b)),
  '+': plus,
  '-': arithmetic((a, b) => a - b),
  '*': arithmetic((a, b) => a * b),
  '/': arithmetic((a, b) => a / b),
  '%': arithmetic((a, b) => a % b),
}
