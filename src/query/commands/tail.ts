import { cutAt } from '../bounds.ts'
import { defineCommand } from '../command.ts'
import { integer } from '../params.ts'
import type { Batch, Row } from '../rows.ts'
import type { Scratch } from '../scratch.ts'
import { fewRows, HeldBatches } from '../spill/heldBatches.ts'
import { batchRows, inBatches } from '../stream.ts'

export const tail = defineCommand({
  name: 'tail',
  kind: 'reduce',
  summary: 'Keeps the last rows',
  args: { count: integer('How many rows to keep') },
  flags: {},
  examples: ['range 10 || tail 3', "seed '[{a: 1}, {a: 2}]' || tail 1"],
  rows: (input, { args }) => cutAt(input, args.count),

  run(batches, { args: { count }, context: { scratch } }) {
    return count <= fewRows ? lastInMemory(batches, count) : lastHeld(batches, count, scratch)
  },
})

async function* lastInMemory(batches: AsyncIterable<Batch>, count: number): AsyncGenerator<Batch> {
  let rows: Row[] = []
  for await (const batch of batches) {
    for (const row of batch) rows.push(row)
    // Cut only when as many rows are too many as are kept, so that a row is moved a bounded number of times.
    if (rows.length >= 2 * count + batchRows) rows = rows.slice(rows.length - count)
  }
  yield* inBatches(rows.slice(Math.max(0, rows.length - count)))
}

async function* lastHeld(batches: AsyncIterable<Batch>, count: number, scratch: Scratch): AsyncGenerator<Batch> {
  const held = new HeldBatches(scratch)
  await held.addAll(batches)
  yield* held.read(Math.max(0, held.rows - count))
  await held.drop()
}
