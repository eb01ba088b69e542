import { anyNumber } from '../bounds.ts'
import { cellAt } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { Pace } from '../pace.ts'
import { ColumnSummary, topValues } from '../reduce/columnSummary.ts'
import type { Counts } from '../reduce/counts.ts'
import { SpilledCounts } from '../reduce/spilledCounts.ts'
import { inBatches } from '../stream.ts'

export const summarize = defineCommand({
  name: 'summarize',
  kind: 'reduce',
  summary: 'Makes a row of each column: type, how many cells are filled, distinct values, least, greatest, mean, most frequent values',
  args: {},
  flags: {},
  examples: ["seed '[{a: 1, b: \"x\"}, {a: 3, b: \"x\"}]' || summarize", 'range 100 || summarize'],
  rows: () => anyNumber,

  async *run(batches, { context: { scratch, signal } }) {
    const columns = new Map<string, ColumnSummary>()
    const spilled = new SpilledCounts({ scratch, pace: new Pace(signal), level: 0 })
    const counts = (): Counts[] => [...columns.values()].map((summary) => summary.counts)
    for await (const batch of batches) {
      for (const row of batch) {
        for (const name of Object.keys(row)) {
          const known = columns.get(name) ?? new ColumnSummary()
          columns.set(name, known)
          known.add(cellAt(row, name))
        }
      }
      await spilled.relieve(counts())
    }
    const tallies = await spilled.tally(counts(), topValues)
    yield* inBatches([...columns].map(([name, summary], index) => summary.row(name, tallies[index])))
  },
})
