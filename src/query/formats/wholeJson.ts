import { wholeUtf8 } from '../../platform/utf8.ts'
import { flatten, UnfitRow, type Batch, type Row } from '../rows.ts'
import { inBatches } from '../stream.ts'
import { readJson } from './json.ts'
import { JsonFaultFinder } from './jsonFault.ts'
import { peek } from './peek.ts'
import { notUtf8, unreadable } from './unreadable.ts'

/** Up to so many bytes a JSON text is parsed at once, which is many times faster than piece by piece. */
const wholeBytes = 32 * 2 ** 20

/** Rows of one JSON text of any size: an array gives a row an item, anything else is one row. */
export async function* readAnyJson(bytes: AsyncIterable<Buffer>): AsyncGenerator<Batch> {
  const start = await peek(bytes, wholeBytes)
  if (!start.isWhole) return yield* readJson(start.bytes)
  yield* inBatches(rowsOf(itemsOf(start.head)))
}

/** Rows of one JSON text that is all there. */
export const rowsOfJson = (bytes: Buffer): Batch => itemsOf(bytes).map((item, index) => rowOf(item, index + 1))

function itemsOf(bytes: Buffer): readonly unknown[] {
  const data = parse(wholeUtf8(bytes, notUtf8).toString())
  return Array.isArray(data) ? (data as unknown[]) : [data]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const finder = new JsonFaultFinder()
    throw unreadable('this is not valid JSON', finder.find(text) ?? finder.end())
  }
}

function* rowsOf(items: readonly unknown[]): Generator<Row> {
  for (const [index, item] of items.entries()) yield rowOf(item, index + 1)
}

function rowOf(item: unknown, row: number): Row {
  try {
    return flatten(item)
  } catch (error) {
    throw error instanceof UnfitRow ? unreadable(`the row ${error.message}`, { row }) : error
  }
}
