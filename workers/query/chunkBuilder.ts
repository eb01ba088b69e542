import type { Batch, Row } from '../../src/query/rows.ts'
import { chunkRows } from '../../src/services/sirp/engine/bounds.ts'
import { charsOf, encodeRows } from '../../src/services/sirp/engine/chunks.ts'
import type { Chunk } from '../../src/services/sirp/engine/passes.ts'

/** Characters of a chunk, roughly: wide rows make chunks of fewer rows, so that a page never reads much more than it answers. */
const chunkChars = 2 ** 20

/** Gathers the rows of a set into chunks, one behind the other. */
export class ChunkBuilder {
  readonly #setId: string
  #rows: Row[] = []
  #chars = 0
  #sequence = 0
  #start = 0

  constructor(setId: string) {
    this.#setId = setId
  }

  /** Takes rows; answers the chunks that are full with them. */
  async add(batch: Batch): Promise<Chunk[]> {
    const full: Chunk[] = []
    for (const row of batch) {
      this.#rows.push(row)
      this.#chars += charsOf(row)
      if (this.#rows.length >= chunkRows || this.#chars >= chunkChars) full.push(await this.#build())
    }
    return full
  }

  /** The rows that are left. */
  async end(): Promise<Chunk[]> {
    return this.#rows.length === 0 ? [] : [await this.#build()]
  }

  async #build(): Promise<Chunk> {
    const rows = this.#rows
    this.#rows = []
    this.#chars = 0
    const chunk = { setId: this.#setId, sequence: this.#sequence, rowStart: this.#start, rowCount: rows.length, data: await encodeRows(rows) }
    this.#sequence += 1
    this.#start += rows.length
    return chunk
  }
}
