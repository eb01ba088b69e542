import type { ContentFormat } from '../formats/contentFormat.ts'
import { peek } from '../formats/peek.ts'
import { readContent } from '../formats/readContent.ts'
import type { Incoming } from '../outside.ts'
import type { Batch } from '../rows.ts'
import { mapRows } from '../stream.ts'
import { placeOf, responseColumns } from './answer.ts'

/** How an answer becomes rows. */
export interface AnswerReading {
  /** The format that the user asked for. */
  readonly serializer?: ContentFormat | undefined
  /** Adds `_response.*` to every row. */
  readonly response?: boolean
}

/** Rows of an answer, in batches as it comes; an answer without a body is one row of `_response.*`. */
export async function* readAnswer(incoming: Incoming, { serializer, response = false }: AnswerReading): AsyncGenerator<Batch> {
  try {
    const { head, bytes } = await peek(incoming.body, 1)
    if (head.length === 0) return yield [responseColumns(incoming)]
    const verdict = serializer && { format: serializer, by: `--serializer ${serializer}` }
    const rows = readContent({ bytes, title: `the answer of ${placeOf(incoming.url)}`, verdict, contentType: incoming.headers['content-type'] ?? '' })
    const columns = response ? responseColumns(incoming) : {}
    yield* response ? mapRows(rows, (row) => ({ ...row, ...columns })) : rows
  } finally {
    incoming.discard()
  }
}
