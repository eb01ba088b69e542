import { fault, maxFaults, quoted, tell, type Fault } from '../text/fault.ts'
import { readTemplate } from '../text/fill.ts'
import { nearest } from '../text/nearest.ts'
import { faultIn } from '../text/syntax.ts'
import type { Expression } from './ast.ts'
import { functions } from './functions.ts'
import { ExpressionLexer, type Lexeme } from './lexer.ts'
import { negateStrength, notIn, notStrength, operators, operatorWords, type Operator } from './operators.ts'
import { patternFault } from './patterns.ts'

/** Nesting beyond this is refused, so that no text overflows the stack. */
const maxDepth = 200

const empty = { text: '' }
const nothing: Expression = { kind: 'literal', value: null }
const constants: Readonly<Record<string, Expression>> = {
  true: { kind: 'literal', value: true },
  false: { kind: 'literal', value: false },
  null: nothing,
}

/** Parses an expression; faults carry offsets into the query, where the expression begins at `offset`. */
export function parseExpression(text: string, offset = 0): { expression: Expression; faults: Fault[] } {
  const lexer = new ExpressionLexer(text, offset)
  const parser = new Parser(lexer)
  const expression = parser.whole()
  return { expression, faults: lexer.faults.concat(parser.faults) }
}

class Parser {
  readonly faults: Fault[] = []
  readonly #lexer: ExpressionLexer
  #now: Lexeme
  /** The symbol behind, where it had to be looked at already. */
  #ahead: Lexeme | null = null
  #depth = 0

  constructor(lexer: ExpressionLexer) {
    this.#lexer = lexer
    this.#now = lexer.next()
  }

  whole(): Expression {
    const expression = this.#expression(0)
    const rest = this.#now
    if (rest.kind !== 'end') {
      const hint = rest.kind === 'name' ? nearest(rest.text, operatorWords) : null
      this.#complain(rest, 'the expression should have ended here', 'an operator such as and, or, ==', hint)
    }
    this.#passToEnd()
    return expression
  }

  #expression(strength: number): Expression {
    this.#depth += 1
    if (this.#depth > maxDepth) {
      this.#complain(this.#now, `the expression is nested deeper than ${maxDepth} levels`, 'fewer parentheses')
      this.#passToEnd()
      this.#depth -= 1
      return nothing
    }
    let left = this.#prefix()
    for (let next = this.#operator(); next && next.strength > strength; next = this.#operator()) left = this.#binary(left, next)
    this.#depth -= 1
    return left
  }

  /** The operator that comes next; `not in` is two words. */
  #operator(): Operator | undefined {
    const { kind, text } = this.#now
    if (kind !== 'symbol' && kind !== 'name') return undefined
    return kind === 'name' && text === 'not' && isWord(this.#peek(), 'in') ? notIn : operators.get(text)
  }

  #binary(left: Expression, { operator, strength }: Operator): Expression {
    if (operator === 'not in') this.#take()
    this.#take()
    const start = this.#now
    const right = this.#expression(strength)
    if (operator === '=~' || operator === '!~') this.#checkPattern(right, start)
    return { kind: 'binary', operator, left, right }
  }

  #prefix(): Expression {
    const { kind, text } = this.#now
    if (text === 'not' && kind === 'name') return { kind: 'not', item: this.#behind(notStrength) }
    if (text === '!' && kind === 'symbol') return { kind: 'not', item: this.#behind(negateStrength) }
    if (text === '-' && kind === 'symbol') return { kind: 'negate', item: this.#behind(negateStrength) }
    return this.#primary()
  }

  #behind(strength: number): Expression {
    this.#take()
    return this.#expression(strength)
  }

  #primary(): Expression {
    switch (this.#now.kind) {
      case 'number': return this.#number(this.#take())
      case 'string': return this.#text(this.#take())
      case 'token': return this.#token(this.#take())
      case 'column': return { kind: 'column', name: this.#take().text }
      case 'name': return this.#name(this.#take())
      case 'symbol': case 'end': return this.#symbol(this.#now)
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
    const [only = empty] = parts
    return parts.length <= 1 && 'text' in only ? { kind: 'literal', value: only.text } : { kind: 'data', parts }
  }

  #token(lexeme: Lexeme): Expression {
    const { parts, faults } = readTemplate(lexeme.text)
    for (const inner of faults) tell(this.faults, () => faultIn({ inside: lexeme.start, escaped: lexeme.escaped }, inner))
    if (parts.some((part) => 'text' in part)) this.#complain(lexeme, 'this is not a token', 'a name between dollars, without spaces beside them')
    return { kind: 'data', parts }
  }

  #checkPattern(pattern: Expression, at: Lexeme): void {
    if (pattern.kind !== 'literal' || typeof pattern.value !== 'string' || this.faults.length >= maxFaults) return
    const wrong = patternFault(pattern.value)
    if (wrong !== null) this.#complain(at, `the pattern cannot be read: ${wrong}`, 'a regular expression without look-around and back-references')
  }

  #name(lexeme: Lexeme): Expression {
    if (this.#is('(')) return this.#call(lexeme)
    if (Object.hasOwn(constants, lexeme.text)) return constants[lexeme.text] ?? nothing
    if (operators.has(lexeme.text)) {
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
      const inner = this.#behind(0)
      this.#expect(')')
      return inner
    }
    this.#complain(lexeme, lexeme.kind === 'end' ? 'the expression ends too early' : `${lexeme.text} cannot stand here`, 'a value')
    if (lexeme.kind !== 'end' && lexeme.text !== ')' && lexeme.text !== ']' && lexeme.text !== ',') this.#take()
    return nothing
  }

  #items(open: string, close: string, starts?: Lexeme[]): Expression[] {
    const items: Expression[] = []
    this.#expect(open)
    while (!this.#is(close) && this.#now.kind !== 'end') {
      const start = this.#now
      starts?.push(start)
      items.push(this.#expression(0))
      if (this.#is(',')) this.#take()
      else if (!this.#is(close)) {
        this.#complain(this.#now, 'the list goes on without a comma', `, or ${close}`)
        if (this.#now === start) this.#take()
        break
      }
    }
    this.#expect(close)
    return items
  }

  #expect(symbol: string): void {
    if (this.#is(symbol)) this.#take()
    else this.#complain(this.#now, `${symbol} is missing`, symbol)
  }

  #is(symbol: string): boolean {
    return this.#now.kind === 'symbol' && this.#now.text === symbol
  }

  /** Goes on to the next symbol; nothing is behind the end. */
  #take(): Lexeme {
    const taken = this.#now
    if (taken.kind === 'end') return taken
    this.#now = this.#ahead ?? this.#lexer.next()
    this.#ahead = null
    return taken
  }

  #peek(): Lexeme {
    this.#ahead ??= this.#lexer.next()
    return this.#ahead
  }

  /** What is left is only read for its own faults. */
  #passToEnd(): void {
    while (this.#now.kind !== 'end') this.#take()
  }

  /** One complaint a place: what follows from the first is not worth telling. */
  #complain(at: Lexeme, message: string, expected: string, hint: string | null = null): void {
    const isTold = ({ start }: Fault): boolean => start === at.start
    if (this.faults.length >= maxFaults || this.faults.some(isTold) || this.#lexer.faults.some(isTold)) return
    this.faults.push(fault(at.start, Math.max(at.end, at.start + 1), message, { expected, ...(hint ? { hint } : {}) }))
  }
}

const isWord = ({ kind, text }: Lexeme, word: string): boolean => kind === 'name' && text === word
