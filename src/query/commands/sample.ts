import { cutAt } from '../bounds.ts'
import { randomInt } from 'node:crypto'
import { defineCommand } from '../command.ts'
import { integer, optional } from '../params.ts'
import { randomFrom } from '../reduce/random.ts'
import { Reservoir } from '../reduce/reservoir.ts'
import type { Batch, Row } from '../rows.ts'
import type { Scratch } from '../scratch.ts'
import { fewRows, HeldBatches } from '../spill/heldBatches.ts'
import { inBatches, mapBatches } from '../stream.ts'

export const sample = defineCommand({
  name: 'sample',
  kind: 'reduce',
  summary: 'Keeps some rows, each with the same chance, in their order',
  args: { count: integer('How many rows to keep') },
  flags: { seed: optional(integer('The same number picks the same rows of the same input')) },
  examples: ['range 1000 || sample 3', 'range 1000 || sample 3 --seed 7'],
  rows: (input, { args }) => cutAt(input, args.count),

  run(batches, { args: { count }, flags, context: { scratch } }) {
    const random = randomFrom(flags.seed ?? randomInt(2 ** 32))
    return count <= fewRows ? pickInMemory(batches, count, random) : pickHeld(batches, count, random, scratch)
  },
})

async function* pickInMemory(batches: AsyncIterable<Batch>, count: number, random: () => number): AsyncGenerator<Batch> {
  const reservoir = new Reservoir<Row>(count, random)
  for await (const batch of batches) for (const row of batch) reservoir.add(row)
  yield* inBatches(reservoir.items())
}

/** Holds all rows to know how many they are; then each is picked with the chance that those still wanted have among those still to come. */
async function* pickHeld(batches: AsyncIterable<Batch>, count: number, random: () => number, scratch: Scratch): AsyncGenerator<Batch> {
  const held = new HeldBatches(scratch)
  await held.addAll(batches)
  let wanted = count
  let left = held.rows
  yield* mapBatches(held.read(), (batch) =>
    batch.filter(() => {
      const isPicked = random() * left < wanted
      left -= 1
      if (isPicked) wanted -= 1
      return isPicked
    }),
  )
  await held.drop()
}
