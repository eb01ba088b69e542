import { Assembler } from 'stream-json/core/assembler.js'
import { jsonParser, type Token } from 'stream-json/core/parser.js'
import { Utf8Gate } from '../../platform/utf8.ts'
import { flatten, maxDepth, UnfitRow, type Batch } from '../rows.ts'
import { JsonFaultFinder } from './jsonFault.ts'
import { maxRowLength, notUtf8, rowTooLong, unreadable } from './unreadable.ts'

/** Characters that are parsed at a time: each makes up to one token, and tokens take room. */
const sliceChars = 65_536

/** Rows of one JSON text: an array gives a row an item, anything else is one row. */
export async function* readJson(bytes: AsyncIterable<Buffer>): AsyncGenerator<Batch> {
  const gate = new Utf8Gate(notUtf8)
  const items = new Items()
  for await (const piece of bytes) {
    const text = gate.take(piece).toString()
    for (let at = 0; at < text.length; at += sliceChars) {
      const batch = items.take(text.slice(at, at + sliceChars))
      if (batch.length > 0) yield batch
    }
  }
  gate.end()
  const last = items.end()
  if (last.length > 0) yield last
}

/** Where a JSON text is broken. */
export async function findJsonFault(bytes: AsyncIterable<Buffer>): Promise<{ line: number; column: number }> {
  const gate = new Utf8Gate(notUtf8)
  const finder = new JsonFaultFinder()
  for await (const piece of bytes) {
    const place = finder.find(gate.take(piece).toString())
    if (place) return place
  }
  return finder.end()
}

/** Puts the items of the text together; the parser itself bounds neither depth nor length. */
class Items {
  readonly #tokenize = jsonParser({ streamValues: false })
  readonly #assembler = new Assembler()
  #top: 'unknown' | 'array' | 'value' | 'ended' = 'unknown'
  #row = 1
  #sinceRow = 0

  take(text: string): Batch {
    this.#sinceRow += text.length
    if (this.#sinceRow > maxRowLength) throw rowTooLong({ row: this.#row })
    const batch: Batch = []
    for (const token of this.#tokensOf(text)) this.#place(token, batch)
    return batch
  }

  end(): Batch {
    const last = this.take(' '.repeat(32)) // ends a number or a word that stands alone
    if (this.#top !== 'ended') throw brokenJson(this.#row)
    return last
  }

  #tokensOf(text: string): readonly Token[] {
    try {
      const tokens = this.#tokenize(text)
      return typeof tokens === 'symbol' ? [] : tokens.values
    } catch {
      throw brokenJson(this.#row)
    }
  }

  #place(token: Token, batch: Batch): void {
    if (this.#top === 'unknown') {
      this.#top = token.name === 'startArray' ? 'array' : 'value'
      if (this.#top === 'array') return
    }
    if (token.name === 'endArray' && this.#assembler.done) {
      this.#top = 'ended'
      return
    }
    this.#assembler.consume(token)
    if (this.#assembler.done) this.#finish(batch)
    else if (this.#assembler.depth > maxDepth) throw unreadable(`the row is nested deeper than ${maxDepth} levels`, { row: this.#row })
  }

  #finish(batch: Batch): void {
    try {
      batch.push(flatten(this.#assembler.current))
    } catch (error) {
      if (error instanceof UnfitRow) throw unreadable(`the row ${error.message}`, { row: this.#row })
      throw error
    }
    if (this.#top === 'value') this.#top = 'ended'
    this.#row += 1
    this.#sinceRow = 0
  }
}

const brokenJson = (row: number) => unreadable('this is not valid JSON', { row })
