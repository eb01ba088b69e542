import { fault, maxFaults, tell, type Fault } from '../text/fault.ts'
import { readQuoted } from '../text/quoted.ts'
import { isSpace } from '../text/space.ts'

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
const tokens = /\$[^$\r\n]+\$/y
const noEscapes: readonly number[] = []
/** Most symbols of one expression: far more than anyone writes, few enough to be read at once. */
const maxLexemes = 100_000

/** Cuts an expression into symbols, each when it is asked for, so that a long one is never held as a whole. */
export class ExpressionLexer {
  /** What could not be read so far. */
  readonly faults: Fault[] = []
  readonly #text: string
  readonly #offset: number
  #at = 0
  #count = 0

  /** `offset` is where the text begins in the query. */
  constructor(text: string, offset: number) {
    this.#text = text
    this.#offset = offset
  }

  /** The next symbol; the last one is the end. */
  next(): Lexeme {
    for (;;) {
      while (isSpace(this.#text.charCodeAt(this.#at))) this.#at += 1
      if (this.#at >= this.#text.length || !this.#hasRoom()) return this.#make('end', 0)
      const lexeme = this.#lexeme()
      if (lexeme) return lexeme
    }
  }

  #hasRoom(): boolean {
    if (this.faults.length >= maxFaults) return false
    if (this.#count < maxLexemes) return true
    this.#complain(1, `the expression has more than ${maxLexemes.toLocaleString('en')} symbols`, 'a shorter expression')
    return false
  }

  /** Null where a character was passed over that has no meaning. */
  #lexeme(): Lexeme | null {
    const first = this.#text[this.#at] ?? ''
    if (first === "'" || first === '"') return this.#string(first)
    if (first === '`') return this.#column()
    return (first === '$' && this.#match('token', tokens)) || this.#word(first) || this.#match('symbol', symbols) || this.#refuse()
  }

  #word(first: string): Lexeme | null {
    const name = this.#lengthOf(names)
    const number = (first >= '0' && first <= '9') || first === '.' ? this.#lengthOf(numbers) : 0
    if (number > 0 && number >= name) return this.#make('number', number)
    return name > 0 ? this.#make('name', name) : null
  }

  #refuse(): null {
    const length = (this.#text.codePointAt(this.#at) ?? 0) > 0xffff ? 2 : 1
    const expected = this.#text[this.#at] === '=' ? '== for equality' : 'back-quotes around a column name that holds it'
    this.#complain(length, 'this character has no meaning in an expression', expected)
    this.#at += length
    return null
  }

  #string(quote: string): Lexeme {
    const { text, escaped, end, closed } = readQuoted(this.#text, this.#at, quote)
    if (!closed) this.#complain(1, 'the string is not closed', quote)
    return this.#make('string', end - this.#at, text, escaped)
  }

  #column(): Lexeme {
    const close = this.#text.indexOf('`', this.#at + 1)
    const end = close < 0 ? this.#text.length : close
    if (close < 0) this.#complain(1, 'the column name is not closed', '`')
    return this.#make('column', (close < 0 ? end : end + 1) - this.#at, this.#text.slice(this.#at + 1, end))
  }

  #complain(length: number, message: string, expected: string): void {
    const start = this.#offset + this.#at
    tell(this.faults, () => fault(start, start + length, message, { expected }))
  }

  #match(kind: Lexeme['kind'], pattern: RegExp): Lexeme | null {
    const length = this.#lengthOf(pattern)
    return length > 0 ? this.#make(kind, length) : null
  }

  #lengthOf(pattern: RegExp): number {
    pattern.lastIndex = this.#at
    return pattern.test(this.#text) ? pattern.lastIndex - this.#at : 0
  }

  #make(kind: Lexeme['kind'], length: number, text = this.#text.slice(this.#at, this.#at + length), escaped = noEscapes): Lexeme {
    const start = this.#offset + this.#at
    this.#at += length
    this.#count += 1
    return { kind, text, start, end: start + length, escaped }
  }
}
