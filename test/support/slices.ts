import type { Batch } from '../../src/query/rows.ts'

/** The bytes of a text, cut into slices of this many. */
export async function* slicesOf(content: string | Uint8Array, length = 1_000_000): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(content)
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

/** All rows of all batches. */
export async function rowsOf(batches: AsyncIterable<Batch>): Promise<Batch> {
  const rows: Batch = []
  for await (const batch of batches) rows.push(...batch)
  return rows
}
