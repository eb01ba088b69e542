import { jsonParser, type Token } from 'stream-json/core/parser.js'
import { invalid, invalidField, Problem } from '../../../platform/errors.ts'
import { pointerTo } from '../../../platform/pointer.ts'
import { Utf8Gate } from '../../../platform/utf8.ts'
import { fileNameRule } from './fileName.ts'

/** The places of the body where something may stand, and what must stand there. */
const places: Readonly<Record<string, string>> = {
  '': 'must be an object',
  '/name': 'must be an object',
  '/name/value': fileNameRule,
  '/content': 'must be an object',
  '/content/value': 'must be a text',
}
const fieldsOf: Readonly<Record<string, readonly string[]>> = { '': ['/name', '/content'], '/name': ['/name/value'], '/content': ['/content/value'] }
const maxTextChars = 1_000

/** Reads the JSON form of an upload while it arrives, so that its content never stands in memory whole. */
export class JsonUpload {
  readonly #tokenize = jsonParser({ packValues: false })
  readonly #gate = new Utf8Gate((byte) => new Problem('malformed_json', `The body is not valid UTF-8 at byte ${byte}.`))
  readonly #given = new Set<string>()
  /** The objects that are open, outermost first. */
  readonly #open: string[] = []
  /** Where the next value stands, or undefined between values. */
  #place: string | undefined = ''
  /** The key or name that is being put together. */
  #text = ''
  #inKey = false
  #content = ''
  #bytes = 0
  #name: string | undefined

  /** The name, once all of it has come. */
  get name(): string | undefined {
    return this.#name
  }

  /** Takes the next bytes of the body and answers those of the content among them. */
  take(piece: Buffer): Buffer {
    this.#bytes += piece.length
    for (const token of this.#tokensOf(this.#gate.take(piece).toString())) this.#consume(token)
    const content = this.#content
    this.#content = ''
    if (!content.isWellFormed()) throw invalidField('/content/value', 'must not hold half a surrogate pair')
    return Buffer.from(content)
  }

  /** Checks that the body has come to its end, and answers the name. */
  end(): string {
    this.#gate.end()
    if (this.#open.length > 0 || this.#place !== undefined || this.#name === undefined) throw this.#malformed('ends too early')
    return this.#name
  }

  #tokensOf(text: string): readonly Token[] {
    try {
      const tokens = this.#tokenize(text)
      return typeof tokens === 'symbol' ? [] : tokens.values
    } catch {
      throw this.#malformed('is not valid JSON')
    }
  }

  #malformed(what: string): Problem {
    return new Problem('malformed_json', `The body ${what}, at or before byte ${this.#bytes}.`)
  }

  #consume(token: Token): void {
    const { name } = token
    if (name === 'stringChunk') this.#addText(token.value)
    else if (name === 'startObject') this.#openObject()
    else if (name === 'endObject') this.#closeObject()
    else if (name === 'startKey') this.#startText(true)
    else if (name === 'endKey') this.#endKey()
    else if (name === 'startString') this.#startString()
    else if (name === 'endString') this.#endString()
    else throw this.#misplaced() // lists, numbers, true, false and null fit nowhere
  }

  #misplaced(): Problem {
    const place = this.#place ?? ''
    return invalidField(place, places[place] ?? 'is not expected here')
  }

  #openObject(): void {
    const place = this.#place ?? ''
    if (!Object.hasOwn(fieldsOf, place)) throw this.#misplaced()
    this.#open.push(place)
    this.#place = undefined
  }

  #closeObject(): void {
    const place = this.#open.pop() ?? ''
    const missing = (fieldsOf[place] ?? []).filter((field) => !this.#given.has(field))
    if (missing.length > 0) throw invalid(missing.map((path) => ({ path, message: 'is required' })))
  }

  #startText(inKey: boolean): void {
    this.#inKey = inKey
    this.#text = ''
  }

  #startString(): void {
    if (this.#place !== '/name/value' && this.#place !== '/content/value') throw this.#misplaced()
    this.#startText(false)
  }

  #addText(text: string): void {
    if (!this.#inKey && this.#place === '/content/value') this.#content += text
    else if (this.#text.length <= maxTextChars) this.#text += text.slice(0, maxTextChars + 1)
  }

  #endKey(): void {
    const path = pointerTo(this.#open.at(-1) ?? '', this.#text.slice(0, 500))
    if (!Object.hasOwn(places, path)) throw invalidField(path, 'is not a known field')
    if (this.#given.has(path)) throw new Problem('malformed_json', `The body has the field ${path} twice.`)
    this.#given.add(path)
    this.#inKey = false
    this.#place = path
  }

  #endString(): void {
    if (this.#place === '/name/value') this.#name = this.#text
    this.#place = undefined
  }
}
