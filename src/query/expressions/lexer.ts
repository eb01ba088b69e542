import { fault, maxFaults, tell, type Fault } from '../text/fault.ts'
import { readQuoted } from '../text/quoted.ts'

/** One symbol of an expression. */
export interface Lexeme {
  readonly kind: 'number' | 'string' | 'name' | 'column' | 'token' | 'symbol' | 'end'
  readonly text: string
  readonly start: number
  readonly end: number
  /** Which characters of a string have a back-slash before them. */
  readonly escaped: readonly number[]
}

const symbols = /==|!=|<=|>=|=~|!~|&&|\|\||[<>!+\-*/%(),[\]]/y
const numbers = /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/y
/** A column's flattened name: letters of any script, digits, dots, colons and underscores; it may begin with the number of a list's item. */
const names = /[\p{L}\p{M}\p{N}_@:]+(?:\.[\p{L}\p{M}\p{N}_@:]+)*/uy
const spaces = /\s+/y
const tokens = /\$[^$\r\n]+\$/y
const noEscapes: readonly number[] = []
/** Most symbols of one expression: far more than anyone writes, few enough to be read at once. */
const maxLexemes = 100_000

/** Cuts an expression into symbols; `offset` is where it begins in the query. */
export function lexExpression(text: string, offset: number, faults: Fault[]): Lexeme[] {
  const lexer = new ExpressionLexer(text, offset, faults)
  return lexer.run()
}

class ExpressionLexer {
  readonly #text: string
  readonly #offset: number
  readonly #faults: Fault[]
  readonly #lexemes: Lexeme[] = []
  #at = 0

  constructor(text: string, offset: number, faults: Fault[]) {
    this.#text = text
    this.#offset = offset
    this.#faults = faults
  }

  run(): Lexeme[] {
    for (this.#skipSpace(); this.#at < this.#text.length && this.#hasRoom(); this.#skipSpace()) this.#lexeme()
    this.#push('end', 0)
    return this.#lexemes
  }

  #hasRoom(): boolean {
    if (this.#faults.length >= maxFaults) return false
    if (this.#lexemes.length < maxLexemes) return true
    this.#complain(1, `the expression has more than ${maxLexemes.toLocaleString('en')} symbols`, 'a shorter expression')
    return false
  }

  #lexeme(): void {
    const first = this.#text[this.#at] ?? ''
    if (first === "'" || first === '"') this.#string(first)
    else if (first === '`') this.#column()
    else if (first !== '$' || !this.#take('token', tokens)) this.#word()
  }

  #word(): void {
    const number = this.#lengthOf(numbers)
    const name = this.#lengthOf(names)
    if (number > 0 && number >= name) this.#push('number', number)
    else if (name > 0) this.#push('name', name)
    else if (!this.#take('symbol', symbols)) this.#refuse()
  }

  #refuse(): void {
    const length = (this.#text.codePointAt(this.#at) ?? 0) > 0xffff ? 2 : 1
    this.#complain(length, 'this character has no meaning in an expression', 'back-quotes around a column name that holds it')
    this.#at += length
  }

  #string(quote: string): void {
    const { text, escaped, end, closed } = readQuoted(this.#text, this.#at, quote)
    if (!closed) this.#complain(1, 'the string is not closed', quote)
    this.#push('string', end - this.#at, text, escaped)
  }

  #column(): void {
    const close = this.#text.indexOf('`', this.#at + 1)
    const end = close < 0 ? this.#text.length : close
    if (close < 0) this.#complain(1, 'the column name is not closed', '`')
    this.#push('column', (close < 0 ? end : end + 1) - this.#at, this.#text.slice(this.#at + 1, end))
  }

  #complain(length: number, message: string, expected: string): void {
    const start = this.#offset + this.#at
    tell(this.#faults, () => fault(start, start + length, message, { expected }))
  }

  #skipSpace(): void {
    this.#at += this.#lengthOf(spaces)
  }

  #lengthOf(pattern: RegExp): number {
    pattern.lastIndex = this.#at
    return pattern.test(this.#text) ? pattern.lastIndex - this.#at : 0
  }

  #take(kind: Lexeme['kind'], pattern: RegExp): boolean {
    const length = this.#lengthOf(pattern)
    if (length > 0) this.#push(kind, length)
    return length > 0
  }

  #push(kind: Lexeme['kind'], length: number, text = this.#text.slice(this.#at, this.#at + length), escaped = noEscapes): void {
    const start = this.#offset + this.#at
    this.#lexemes.push({ kind, text, start, end: start + length, escaped })
    this.#at += length
  }
}
