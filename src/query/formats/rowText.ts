import type { Batch, Row } from '../rows.ts'
import { csvHeader, csvLines } from './csvWriter.ts'

/** Writes rows as text, batch by batch. */
export interface RowText {
  /** Stands before the first row. */
  readonly start: string
  readonly rowOf: (row: Row) => string
  /** Stands behind the last row. */
  readonly end: string
}

/** Newline-delimited JSON. */
export const ndjsonText = (): RowText => ({ start: '', rowOf: (row) => `${JSON.stringify(row)}\n`, end: '' })

/** One JSON array, with a row a line. */
export function jsonText(): RowText {
  let before = ''
  const rowOf = (row: Row): string => {
    const text = `${before}${JSON.stringify(row)}`
    before = ',\n'
    return text
  }
  return { start: '[', rowOf, end: ']\n' }
}

/** CSV with these columns; rows that go behind others need no header. */
export const csvText = (columns: readonly string[], header: boolean): RowText => ({ start: header ? csvHeader(columns) : '', rowOf: (row) => csvLines(columns, [row]), end: '' })

const pieceChars = 2 ** 20

/** The text of a batch, in pieces of bounded length: all of it could be longer than a string can. */
export function* piecesOf(batch: Batch, { rowOf }: RowText): Generator<Buffer> {
  let piece = ''
  for (const row of batch) {
    piece += rowOf(row)
    if (piece.length < pieceChars) continue
    yield Buffer.from(piece)
    piece = ''
  }
  if (piece !== '') yield Buffer.from(piece)
}

/** The whole text of rows, in pieces. */
export async function* textOfRows(batches: AsyncIterable<Batch>, text: RowText): AsyncGenerator<Buffer> {
  if (text.start !== '') yield Buffer.from(text.start)
  for await (const batch of batches) yield* piecesOf(batch, text)
  if (text.end !== '') yield Buffer.from(text.end)
}
