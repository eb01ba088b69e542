import type { ContentFormat } from '../formats/contentFormat.ts'
import { peek } from '../formats/peek.ts'
import { readContent, readHeld } from '../formats/readContent.ts'
import type { About } from '../formats/tellContent.ts'
import type { Incoming } from '../outside.ts'
import type { Batch } from '../rows.ts'
import { collectRows, mapRows } from '../stream.ts'
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
    const rows = readContent({ bytes, ...aboutOf(incoming, serializer) })
    const columns = response ? responseColumns(incoming) : {}
    yield* response ? mapRows(rows, (row) => ({ ...row, ...columns })) : rows
  } finally {
    incoming.discard()
  }
}

function aboutOf({ url, headers }: Incoming, serializer: ContentFormat | undefined): About {
  return {
    title: () => `the answer of ${placeOf(url)}`,
    verdict: serializer && { format: serializer, by: `--serializer ${serializer}` },
    contentType: headers['content-type'] ?? '',
  }
}

/** Up to so many bytes an answer is waited for as a whole: that is many times cheaper than to read it as it comes. */
const shortBytes = 256 * 2 ** 10

/** All rows of an answer. */
export async function readWholeAnswer(incoming: Incoming, reading: AnswerReading): Promise<Batch> {
  const length = incoming.headers['content-length']
  if (length === undefined || !(Number(length) <= shortBytes)) return collectRows(readAnswer(incoming, reading))
  const bytes = await incoming.bytes()
  if (bytes.length === 0) return [responseColumns(incoming)]
  const held = readHeld(bytes, aboutOf(incoming, reading.serializer))
  const rows = held instanceof Promise ? await held : held
  if (!reading.response) return rows
  const columns = responseColumns(incoming)
  return rows.map((row) => ({ ...row, ...columns }))
}
