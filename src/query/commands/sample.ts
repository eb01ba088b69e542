import { cutAt } from '../bounds.ts'
import { randomInt } from 'node:crypto'
import { defineCommand } from '../command.ts'
import { integer, optional } from '../params.ts'
import { randomFrom } from '../reduce/random.ts'
import { Reservoir } from '../reduce/reservoir.ts'
import type { Row } from '../rows.ts'
import { inBatches } from '../stream.ts'

export const sample = defineCommand({
  name: 'sample',
  kind: 'reduce',
  summary: 'Keeps some rows, each with the same chance, in their order',
  args: { count: integer('How many rows to keep') },
  flags: { seed: optional(integer('The same number picks the same rows of the same input')) },
  examples: ['range 1000 || sample 3', 'range 1000 || sample 3 --seed 7'],
  rows: (input, { args }) => cutAt(input, args.count),

  async *run(batches, { args, flags }) {
    const reservoir = new Reservoir<Row>(args.count, randomFrom(flags.seed ?? randomInt(2 ** 32)))
    for await (const batch of batches) for (const row of batch) reservoir.add(row)
    yield* inBatches(reservoir.items())
  },
})
