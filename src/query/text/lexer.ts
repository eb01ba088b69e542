import { fault, tell, type Fault } from './fault.ts'
import { readQuoted } from './quoted.ts'
import { isSpace } from './space.ts'

/** How a value was written, which decides its type: only bare words can be numbers, booleans or null. */
export type Quoting = 'bare' | 'single' | 'double' | 'fence'

/** One piece of a query's text; `start` and `end` are offsets into it. */
export type Piece =
  | {
      readonly kind: 'value'; readonly start: number; readonly end: number; readonly text: string; readonly quoting: Quoting
      /** Where the first character of the value stands: behind its quote, or behind a fence's opening line. */
      readonly inside: number
      /** Which characters of the value have a back-slash before them in the query. */
      readonly escaped: readonly number[]
    }
  /** `--name`, up to but without an `=`; `glued` when a value follows the `=` directly. */
  | { readonly kind: 'flag'; readonly start: number; readonly end: number; readonly name: string; readonly glued: boolean }
  | { readonly kind: 'separator'; readonly start: number; readonly end: number }
  | { readonly kind: 'comment'; readonly start: number; readonly end: number }

/** The pieces of a text and what is wrong with them; a broken text still gives all the pieces that can be told apart. */
export interface Lexed {
  readonly pieces: readonly Piece[]
  readonly faults: readonly Fault[]
}

/** Most pieces that a query may have: far more than anyone writes, few enough to be read at once. */
export const maxPieces = 100_000

const fence = '```'
const noEscapes: readonly number[] = []

/** Cuts a query into pieces in one pass; every character is looked at a bounded number of times. */
export function lex(text: string): Lexed {
  return new Lexer(text).run()
}

class Lexer {
  readonly #text: string
  readonly #pieces: Piece[] = []
  readonly #faults: Fault[] = []
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  run(): Lexed {
    while (this.#skipSpace() && this.#hasRoom()) this.#piece()
    return { pieces: this.#pieces, faults: this.#faults }
  }

  #hasRoom(): boolean {
    if (this.#pieces.length < maxPieces) return true
    const message = `the query has more than ${maxPieces.toLocaleString('en')} words; what follows was not read`
    this.#faults.push(fault(this.#at, this.#at + 1, message, { expected: 'a shorter query' }))
    return false
  }

  #skipSpace(): boolean {
    while (this.#at < this.#text.length && isSpace(this.#text.charCodeAt(this.#at))) this.#at += 1
    return this.#at < this.#text.length
  }

  #piece(): void {
    const first = this.#text.charCodeAt(this.#at)
    const second = this.#text.charCodeAt(this.#at + 1)
    if (first === pipe && second === pipe) return this.#separator()
    if (first === slash && second === star) return this.#comment()
    if (first === dash && second === dash && this.#flag()) return
    this.#value()
  }

  #separator(): void {
    this.#pieces.push({ kind: 'separator', start: this.#at, end: this.#at + 2 })
    this.#at += 2
  }

  #comment(): void {
    const start = this.#at
    const close = this.#text.indexOf('*/', start + 2)
    this.#at = close < 0 ? this.#text.length : close + 2
    if (close < 0) tell(this.#faults, () => fault(start, start + 2, 'the comment is not closed', { expected: '*/' }))
    this.#pieces.push({ kind: 'comment', start, end: this.#at })
  }

  /** A flag's name ends at white space, `=` or `||`; `--` alone is an ordinary word. */
  #flag(): boolean {
    const start = this.#at
    const end = this.#wordEnd(start + 2, true)
    if (end === start + 2) return false
    const glued = this.#text[end] === '='
    this.#pieces.push({ kind: 'flag', start, end, name: this.#text.slice(start + 2, end), glued })
    this.#at = glued ? end + 1 : end
    if (!glued) return true
    const next = this.#text.charCodeAt(this.#at)
    if (Number.isNaN(next) || isSpace(next) || this.#text.startsWith('||', this.#at)) {
      this.#pieces.push({ kind: 'value', start: this.#at, end: this.#at, text: '', quoting: 'double', inside: this.#at, escaped: noEscapes })
    } else this.#value()
    return true
  }

  #value(): void {
    const first = this.#text[this.#at]
    if (first === "'" || first === '"') this.#quoted(first)
    else if (this.#text.startsWith(fence, this.#at)) this.#fenced()
    else this.#bare()
  }

  #bare(): void {
    const start = this.#at
    this.#at = this.#wordEnd(start, false)
    this.#pieces.push({ kind: 'value', start, end: this.#at, text: this.#text.slice(start, this.#at), quoting: 'bare', inside: start, escaped: noEscapes })
  }

  #wordEnd(from: number, endsAtEquals: boolean): number {
    let end = from
    for (; end < this.#text.length; end += 1) {
      const code = this.#text.charCodeAt(end)
      if (isSpace(code) || (code === pipe && this.#text.charCodeAt(end + 1) === pipe) || (endsAtEquals && code === equals)) break
    }
    return end
  }

  #quoted(quote: "'" | '"'): void {
    const start = this.#at
    const { text, escaped, end, closed } = readQuoted(this.#text, start, quote)
    this.#endQuoted({ kind: 'value', start, end, text, quoting: quote === '"' ? 'double' : 'single', inside: start + 1, escaped }, quote, closed)
  }

  /** The first word of a fence is its language only when a line break follows it; the line breaks next to the fences are not part of the value. */
  #fenced(): void {
    const start = this.#at
    const close = this.#text.indexOf(fence, start + fence.length)
    const closed = close >= 0
    const inner = this.#text.slice(start + fence.length, closed ? close : undefined)
    const opening = /^[^\s`]*[ \t]*\r?\n/.exec(inner)?.[0].length ?? 0
    const text = inner.slice(opening).replace(/\r?\n[ \t]*$/, '')
    const end = closed ? close + fence.length : this.#text.length
    this.#endQuoted({ kind: 'value', start, end, text, quoting: 'fence', inside: start + fence.length + opening, escaped: noEscapes }, fence, closed)
  }

  #endQuoted(piece: Extract<Piece, { kind: 'value' }>, expected: string, closed: boolean): void {
    const { start, end } = piece
    this.#at = end
    this.#pieces.push(piece)
    if (!closed) tell(this.#faults, () => fault(start, start + expected.length, 'the quote is not closed', { expected }))
    else if (!this.#atBoundary()) tell(this.#faults, () => fault(end, end + 1, 'a quoted value must be followed by white space', { expected: 'white space' }))
  }

  #atBoundary(): boolean {
    return this.#at >= this.#text.length || isSpace(this.#text.charCodeAt(this.#at)) || this.#text.startsWith('||', this.#at)
  }
}

const pipe = 0x7c
const equals = 0x3d
const slash = 0x2f
const star = 0x2a
const dash = 0x2d
