import type { Batch } from '../../rows.ts'
import { batchRows } from '../../stream.ts'
import type { Placed } from '../../spill/partitions.ts'

/** Rows with their numbers, counted from the first. */
export async function* numbered(batches: AsyncIterable<Batch>, first: number): AsyncGenerator<Placed[]> {
  let place = first
  for await (const batch of batches) yield batch.map((row): Placed => [place++, row])
}

/** Rows without their numbers. */
export async function* withoutNumbers(batches: AsyncIterable<Placed[]>): AsyncGenerator<Batch> {
  for await (const batch of batches) yield batch.map(([, row]) => row)
}

/** Numbered rows in batches. */
export function* inPlacedBatches(rows: Iterable<Placed>): Generator<Placed[]> {
  let batch: Placed[] = []
  for (const placed of rows) {
    batch.push(placed)
    if (batch.length < batchRows) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
