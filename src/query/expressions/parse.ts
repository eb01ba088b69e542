import { fault, maxFaults, quoted, tell, type Fault } from '../text/fault.ts'
import { readTemplate } from '../text/fill.ts'
import { nearest } from '../text/nearest.ts'
import { faultIn } from '../text/syntax.ts'
import type { BinaryOperator, Expression } from './ast.ts'
import { functions } from './functions.ts'
import { lexExpression, type Lexeme } from './lexer.ts'
import { negateStrength, notStrength, operators, operatorWords } from './operators.ts'
import { patternFault } from './patterns.ts'

/** Nesting beyond this is refused, so that no text overflows the stack. */
const maxDepth = 200

const nothing: Expression = { kind: 'literal', value: null }
const constants: Readonly<Record<string, Expression>> = {
  true: { kind: 'literal', value: true },
  false: { kind: 'literal', value: false },
  null: nothing,
}

/** Parses an expression; faults carry offsets into the query, where the expression begins at `offset`. */
export function parseExpression(text: string, offset = 0): { expression: Expression; faults: Fault[] } {
  const unread: Fault[] = []
  const parser = new Parser(lexExpression(text, offset, unread), unread)
  const expression = parser.whole()
  return { expression, faults: [...unread, ...parser.faults] }
}

class Parser {
  readonly faults: Fault[] = []
  readonly #lexemes: readonly Lexeme[]
  readonly #told: Set<number>
  #at = 0
  #depth = 0

  constructor(lexemes: readonly Lexeme[], unread: readonly Fault[]) {
    this.#lexemes = lexemes
    this.#told = new Set(unread.map(({ start }) => start))
  }

  whole(): Expression {
    const expression = this.#expression(0)
    const rest = this.#peek()
    if (rest.kind !== 'end') {
      const hint = rest.kind === 'name' ? nearest(rest.text, operatorWords) : null
      this.#complain(rest, 'the expression should have ended here', 'an operator such as and, or, ==', hint)
    }
    return expression
  }

  #expression(strength: number): Expression {
    this.#depth += 1
    if (this.#depth > maxDepth) {
      this.#complain(this.#peek(), `the expression is nested deeper than ${maxDepth} levels`, 'fewer parentheses')
      this.#at = this.#lexemes.length - 1
      this.#depth -= 1
      return nothing
    }
    let left = this.#prefix()
    for (let next = this.#operator(); next && next.strength > strength; next = this.#operator()) {
      this.#at += next.lexemes
      const start = this.#peek()
      const right = this.#expression(next.strength)
      if (next.operator === '=~' || next.operator === '!~') this.#checkPattern(right, start)
      left = { kind: 'binary', operator: next.operator, left, right }
    }
    this.#depth -= 1
    return left
  }

  /** The operator that comes next; `not in` is two words. */
  #operator(): { operator: BinaryOperator; strength: number; lexemes: number } | null {
    const { kind, text } = this.#peek()
    if (kind !== 'symbol' && kind !== 'name') return null
    const then = this.#lexemes[this.#at + 1]
    if (kind === 'name' && text === 'not' && then?.kind === 'name' && then.text === 'in') return { operator: 'not in', strength: 4, lexemes: 2 }
    const known = Object.hasOwn(operators, text) ? operators[text] : undefined
    return known ? { strength: known[0], operator: known[1], lexemes: 1 } : null
  }

  #prefix(): Expression {
    const { kind, text } = this.#peek()
    if (text === 'not' && kind === 'name') return this.#after(() => ({ kind: 'not', item: this.#expression(notStrength) }))
    if (text === '!' && kind === 'symbol') return this.#after(() => ({ kind: 'not', item: this.#expression(negateStrength) }))
    if (text === '-' && kind === 'symbol') return this.#after(() => ({ kind: 'negate', item: this.#expression(negateStrength) }))
    return this.#primary()
  }

  #after(build: () => Expression): Expression {
    this.#at += 1
    return build()
  }

  #primary(): Expression {
    const lexeme = this.#peek()
    switch (lexeme.kind) {
      case 'number': return this.#after(() => this.#number(lexeme))
      case 'string': return this.#after(() => this.#text(lexeme))
      case 'token': return this.#after(() => this.#token(lexeme))
      case 'column': return this.#after(() => ({ kind: 'column', name: lexeme.text }))
      case 'name': return this.#name(lexeme)
      case 'symbol': case 'end': return this.#symbol(lexeme)
    }
  }

  #number(lexeme: Lexeme): Expression {
    const value = Number(lexeme.text)
    if (Number.isFinite(value)) return { kind: 'literal', value }
    this.#complain(lexeme, 'the number is too large', 'a number below 1.8e308')
    return nothing
  }

  /** A literal that holds tokens is built from data when it is used; it is never parsed again. */
  #text(lexeme: Lexeme): Expression {
    const { parts, faults } = readTemplate(lexeme.text)
    for (const inner of faults) tell(this.faults, () => faultIn({ inside: lexeme.start + 1, escaped: lexeme.escaped }, inner))
    if (parts.every((part) => 'text' in part)) return { kind: 'literal', value: parts.map((part) => part.text).join('') }
    return { kind: 'data', parts }
  }

  #token(lexeme: Lexeme): Expression {
    const { parts, faults } = readTemplate(lexeme.text, lexeme.start)
    for (const inner of faults) tell(this.faults, () => inner)
    if (parts.some((part) => 'text' in part)) this.#complain(lexeme, 'this is not a token', 'a name between dollars, without spaces beside them')
    return { kind: 'data', parts }
  }

  #checkPattern(pattern: Expression, at: Lexeme): void {
    if (pattern.kind !== 'literal' || typeof pattern.value !== 'string' || this.faults.length >= maxFaults) return
    const wrong = patternFault(pattern.value)
    if (wrong !== null) this.#complain(at, `the pattern cannot be read: ${wrong}`, 'a regular expression without look-around and back-references')
  }

  #name(lexeme: Lexeme): Expression {
    this.#at += 1
    if (this.#is('(')) return this.#call(lexeme)
    if (Object.hasOwn(constants, lexeme.text)) return constants[lexeme.text] ?? nothing
    if (Object.hasOwn(operators, lexeme.text)) {
      this.#complain(lexeme, `${lexeme.text} needs a value on its left`, 'a value')
      return nothing
    }
    return { kind: 'column', name: lexeme.text }
  }

  #call(name: Lexeme): Expression {
    const starts: Lexeme[] = []
    const items = this.#items('(', ')', starts)
    const known = Object.hasOwn(functions, name.text) ? functions[name.text] : undefined
    if (!known) this.#unknownFunction(name)
    else if (items.length < known.least || items.length > known.most) {
      const count = known.least === known.most ? `${known.least}` : `${known.least} to ${known.most}`
      this.#complain(name, `${name.text} takes ${count} value${count === '1' ? '' : 's'}`, known.usage)
    }
    const [, pattern] = items
    if (name.text === 'matches' && pattern && starts[1]) this.#checkPattern(pattern, starts[1])
    return { kind: 'call', name: name.text, items }
  }

  #unknownFunction(name: Lexeme): void {
    const known = Object.keys(functions)
    tell(this.faults, () => {
      const hint = nearest(name.text, known)
      return fault(name.start, name.end, `there is no function ${quoted(name.text)}`, { expected: known.join(', '), ...(hint ? { hint } : {}) })
    })
  }

  #symbol(lexeme: Lexeme): Expression {
    if (lexeme.text === '[') return { kind: 'list', items: this.#items('[', ']') }
    if (lexeme.text === '(') {
      this.#at += 1
      const inner = this.#expression(0)
      this.#expect(')')
      return inner
    }
    this.#complain(lexeme, lexeme.kind === 'end' ? 'the expression ends too early' : `${lexeme.text} cannot stand here`, 'a value')
    if (lexeme.kind !== 'end' && lexeme.text !== ')' && lexeme.text !== ']' && lexeme.text !== ',') this.#at += 1
    return nothing
  }

  #items(open: string, close: string, starts: Lexeme[] = []): Expression[] {
    const items: Expression[] = []
    this.#expect(open)
    while (!this.#is(close) && this.#peek().kind !== 'end') {
      const before = this.#at
      starts.push(this.#peek())
      items.push(this.#expression(0))
      if (this.#is(',')) this.#at += 1
      else if (!this.#is(close)) {
        this.#complain(this.#peek(), 'the list goes on without a comma', `, or ${close}`)
        if (this.#at === before) this.#at += 1
        break
      }
    }
    this.#expect(close)
    return items
  }

  #expect(symbol: string): void {
    if (this.#is(symbol)) this.#at += 1
    else this.#complain(this.#peek(), `${symbol} is missing`, symbol)
  }

  #is(symbol: string): boolean {
    const { kind, text } = this.#peek()
    return kind === 'symbol' && text === symbol
  }

  #peek(): Lexeme {
    return this.#lexemes[Math.min(this.#at, this.#lexemes.length - 1)] as Lexeme // lexExpression always ends with an `end`
  }

  /** One complaint a place: what follows from the first is not worth telling. */
  #complain(at: Lexeme, message: string, expected: string, hint: string | null = null): void {
    if (this.#told.has(at.start)) return
    this.#told.add(at.start)
    tell(this.faults, () => fault(at.start, Math.max(at.end, at.start + 1), message, { expected, ...(hint ? { hint } : {}) }))
  }
}
