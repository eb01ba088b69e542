import { maxDepth } from '../rows.ts'
import { readString } from './strings.ts'
import { unexpected, UnfitJson } from './unfit.ts'

const numbers = /[+-]?(?:0[xX][\dA-Fa-f]+|(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|Infinity|NaN)/y
const words = /[\p{ID_Continue}$\u200c\u200d]*/uy
const names = /(?:[\p{ID_Start}$_]|\\u[\dA-Fa-f]{4})(?:[\p{ID_Continue}$\u200c\u200d]|\\u[\dA-Fa-f]{4})*/uy
const otherSpaces = /[\u00a0\ufeff\u2028\u2029\p{Zs}]/u
const comma = 0x2c
const bracket = 0x5d
const brace = 0x7d
const nameParts = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u

/** Reads JSON5 in one pass over its text: JSON with comments, single quotes, bare keys, trailing commas and more ways to write numbers. */
export class Json5Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  read(): unknown {
    const value = this.#value(1)
    this.#skip()
    if (this.#at < this.#text.length) throw unexpected(this.#text, this.#at)
    return value
  }

  #value(depth: number): unknown {
    this.#skip()
    if (depth > maxDepth) throw new UnfitJson(`is nested deeper than ${maxDepth} levels`)
    const first = this.#text[this.#at]
    if (first === '{') return this.#object(depth)
    if (first === '[') return this.#list(depth)
    if (first === '"' || first === "'") return this.#string()
    if (first === 'n') return this.#word('null', null)
    if (first === 't') return this.#word('true', true)
    if (first === 'f') return this.#word('false', false)
    return this.#number()
  }

  #list(depth: number): unknown[] {
    const items: unknown[] = []
    this.#at += 1
    while (!this.#closes(']')) {
      items.push(this.#value(depth + 1))
      if (!this.#goesOn(']')) break
    }
    return items
  }

  #object(depth: number): Record<string, unknown> {
    const fields: Record<string, unknown> = {}
    this.#at += 1
    while (!this.#closes('}')) {
      const key = this.#key()
      this.#skip()
      this.#take(':')
      const value = this.#value(depth + 1)
      // An assignment to this one name would set the prototype.
      if (key === '__proto__') Object.defineProperty(fields, key, { value, writable: true, enumerable: true, configurable: true })
      else fields[key] = value
      if (!this.#goesOn('}')) break
    }
    return fields
  }

  #closes(close: string): boolean {
    this.#skip()
    const isClosed = this.#text[this.#at] === close
    if (isClosed) this.#at += 1
    return isClosed
  }

  /** Whether another item may follow; otherwise what holds them is closed. */
  #goesOn(close: string): boolean {
    if (this.#closes(close)) return false
    this.#take(',')
    return true
  }

  #take(symbol: string): void {
    if (this.#text[this.#at] !== symbol) throw unexpected(this.#text, this.#at)
    this.#at += 1
  }

  #key(): string {
    const first = this.#text[this.#at]
    if (first === '"' || first === "'") return this.#string()
    const start = this.#at
    const name = this.#match(names)
    if (name === '') throw unexpected(this.#text, start)
    if (!name.includes('\\')) return name
    const plain = name.replace(/\\u(.{4})/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    if (!nameParts.test(plain)) throw unexpected(this.#text, start)
    return plain
  }

  #string(): string {
    const { text, end } = readString(this.#text, this.#at)
    this.#at = end
    return text
  }

  #word<Value>(word: string, value: Value): Value {
    for (const letter of word) this.#take(letter)
    this.#endWord()
    return value
  }

  #number(): number {
    const start = this.#at
    const written = this.#match(numbers)
    if (written === '') throw unexpected(this.#text, /[+-]/.test(this.#text[start] ?? '') ? start + 1 : start)
    this.#endWord()
    const isNegative = written.startsWith('-')
    const size = Number(isNegative || written.startsWith('+') ? written.slice(1) : written)
    return isNegative ? -size : size
  }

  /** A word ends where no letter or digit follows. */
  #endWord(): void {
    const end = this.#at
    const next = this.#text.charCodeAt(end)
    if (next === comma || next === bracket || next === brace) return
    if (this.#match(words) !== '') throw unexpected(this.#text, end)
  }

  #match(pattern: RegExp): string {
    const start = this.#at
    pattern.lastIndex = start
    if (pattern.test(this.#text)) this.#at = pattern.lastIndex
    return this.#text.slice(start, this.#at)
  }

  /** Passes over white space and comments. */
  #skip(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) this.#at += 1
      else if (code === 0x2f) this.#comment()
      else if (code > 0x7f && otherSpaces.test(this.#text[this.#at] ?? '')) this.#at += 1
      else return
    }
  }

  #comment(): void {
    const kind = this.#text[this.#at + 1]
    if (kind !== '/' && kind !== '*') throw unexpected(this.#text, this.#at + 1)
    const end = kind === '*' ? this.#text.indexOf('*/', this.#at + 2) : this.#lineEnd(this.#at + 2)
    if (end < 0) throw unexpected(this.#text, this.#text.length)
    this.#at = kind === '*' ? end + 2 : end
  }

  #lineEnd(from: number): number {
    lineEnds.lastIndex = from
    return lineEnds.exec(this.#text)?.index ?? this.#text.length
  }
}

const lineEnds = /[\n\r\u2028\u2029]/g
