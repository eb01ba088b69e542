import { cellAt } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { ColumnSummary } from '../reduce/columnSummary.ts'
import { inBatches } from '../stream.ts'

export const summarize = defineCommand({
  name: 'summarize',
  kind: 'reduce',
  summary: 'Makes a row of each column: type, how many cells are filled, distinct values, least, greatest, mean, most frequent values',
  args: {},
  flags: {},
  examples: ["seed '[{a: 1, b: \"x\"}, {a: 3, b: \"x\"}]' || summarize", 'range 100 || summarize'],

  async *run(batches) {
    const columns = new Map<string, ColumnSummary>()
    for await (const batch of batches) {
      for (const row of batch) {
        for (const name of Object.keys(row)) {
          const known = columns.get(name) ?? new ColumnSummary()
          columns.set(name, known)
          known.add(cellAt(row, name))
        }
      }
    }
    yield* inBatches([...columns].map(([name, summary]) => summary.row(name)))
  },
})
