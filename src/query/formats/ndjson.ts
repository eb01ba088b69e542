import { Utf8Gate } from '../../platform/utf8.ts'
import { flatten, UnfitRow, type Batch, type Row } from '../rows.ts'
import { faultColumn } from './jsonFault.ts'
import { maxRowLength, notUtf8, rowTooLong, unreadable } from './unreadable.ts'

/** Rows of newline-delimited JSON, a value a line; blank lines are passed over. */
export async function* readNdjson(bytes: AsyncIterable<Buffer>): AsyncGenerator<Batch> {
  const gate = new Utf8Gate(notUtf8)
  const lines = new Lines()
  for await (const piece of bytes) {
    const batch = lines.take(gate.take(piece).toString())
    if (batch.length > 0) yield batch
  }
  gate.end()
  const last = lines.take('\n')
  if (last.length > 0) yield last
}

/** Splits text into lines and makes a row of each; a line that has not ended waits. */
class Lines {
  #held: string[] = []
  #heldLength = 0
  #line = 0

  take(text: string): Batch {
    const end = text.lastIndexOf('\n')
    if (end < 0) {
      this.#hold(text)
      return []
    }
    const whole = this.#held.join('') + text.slice(0, end)
    this.#held = []
    this.#heldLength = 0
    this.#hold(text.slice(end + 1))
    return this.#rowsOf(whole.split('\n'))
  }

  #hold(text: string): void {
    this.#held.push(text)
    this.#heldLength += text.length
    if (this.#heldLength > maxRowLength) throw rowTooLong({ line: this.#line + 1 })
  }

  #rowsOf(lines: readonly string[]): Batch {
    const batch: Batch = []
    for (const line of lines) {
      this.#line += 1
      const row = line === '' ? undefined : this.#rowOf(line)
      if (row) batch.push(row)
    }
    return batch
  }

  #rowOf(line: string): Row | undefined {
    try {
      return flatten(JSON.parse(line))
    } catch (error) {
      if (error instanceof UnfitRow) throw unreadable(`the row ${error.message}`, { line: this.#line })
      if (line.trim() === '') return undefined
      throw unreadable('this is not valid JSON', { line: this.#line, column: faultColumn(line) })
    }
  }
}
