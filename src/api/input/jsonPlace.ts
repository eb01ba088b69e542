const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const spaces = /[ \t\r\n]*/y

/** Line and column at which a text stops being JSON; the text itself is not quoted, because it may hold secrets. */
export function findMalformed(text: string): string {
  const stop = new Reader(text).readAll()
  let line = 1
  let start = 0
  for (let end = text.indexOf('\n'); end >= 0 && end < stop; end = text.indexOf('\n', start)) {
    line += 1
    start = end + 1
  }
  return `line ${line}, column ${stop - start + 1}`
}

/** Follows a text as far as it is JSON; it must not be nested deeper than the stack. */
class Reader {
  readonly #text: string
  #index = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Index of the first character that cannot stand where it stands. */
  readAll(): number {
    if (this.#value()) this.#matches(spaces)
    return this.#index
  }

  #value(): boolean {
    this.#matches(spaces)
    const char = this.#text[this.#index]
    if (char === '{') return this.#list('}', () => this.#string() && this.#is(':') && this.#value())
    if (char === '[') return this.#list(']', () => this.#value())
    return char === '"' ? this.#string() : this.#matches(scalar)
  }

  #list(close: string, item: () => boolean): boolean {
    this.#index += 1
    if (this.#is(close)) return true
    do {
      if (!item()) return false
    } while (this.#is(','))
    return this.#is(close)
  }

  #string(): boolean {
    if (!this.#is('"')) return false
    for (;;) {
      const code = this.#text.charCodeAt(this.#index)
      if (code === 0x22) return this.#is('"')
      if (code === 0x5c ? !this.#matches(escape) : !(code >= 0x20)) return false
      if (code !== 0x5c) this.#index += 1
    }
  }

  #is(char: string): boolean {
    this.#matches(spaces)
    if (this.#text[this.#index] !== char) return false
    this.#index += 1
    return true
  }

  #matches(pattern: RegExp): boolean {
    pattern.lastIndex = this.#index
    if (!pattern.test(this.#text)) return false
    this.#index = pattern.lastIndex
    return true
  }
}
