import type { Batch, Row } from '../../src/query/rows.ts'
import { chunkRows, chunksPerRow } from '../../src/services/sirp/engine/bounds.ts'
import { charsOf, encodeRows } from '../../src/services/sirp/engine/chunks.ts'
import type { Chunk } from '../../src/services/sirp/engine/passes.ts'

const chunkBytes = 2 ** 20

/** Rows that the run of a command for one input row made. */
export interface MadeRows {
  readonly index: number
  readonly rows: Batch
}

/** Makes chunks of the rows of neighbouring input rows; their sequence follows from the input row, so that the order holds whoever writes when. */
export async function chunksOf(setId: string, made: readonly MadeRows[]): Promise<Chunk[]> {
  const chunks: Promise<Chunk>[] = []
  let rows: Row[] = []
  let chars = 0
  let [first, part] = [0, 0]
  const close = (): void => {
    if (rows.length > 0) chunks.push(encode(setId, first * chunksPerRow + part, rows))
    part += 1
    rows = []
    chars = 0
  }
  let before = -1
  for (const { index, rows: more } of made) {
    // A row in between that is still to run has its place between two chunks.
    if (index !== before + 1) close()
    before = index
    if (rows.length === 0) [first, part] = [index, 0]
    for (const row of more) {
      rows.push(row)
      chars += charsOf(row)
      if (rows.length < chunkRows && chars < chunkBytes) continue
      close()
      // What is left of this input row goes on behind its own beginning.
      if (first !== index) [first, part] = [index, 1]
    }
  }
  close()
  return Promise.all(chunks)
}

async function encode(setId: string, sequence: number, rows: Batch): Promise<Chunk> {
  return { setId, sequence, rowStart: null, rowCount: rows.length, data: await encodeRows(rows) }
}
