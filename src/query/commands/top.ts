import { upTo } from '../bounds.ts'
import { cellsAt } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { Pace } from '../pace.ts'
import { column, integer } from '../params.ts'
import { hiddenColumn } from '../reduce/byFlag.ts'
import { Counts } from '../reduce/counts.ts'
import { SpilledCounts } from '../reduce/spilledCounts.ts'
import { setCell, type Row } from '../rows.ts'
import { inBatches } from '../stream.ts'

export const top = defineCommand({
  name: 'top',
  kind: 'reduce',
  summary: 'The most frequent values of a column, how often each is met, and its share of all values',
  args: { count: integer('How many values'), column: column('The column; prefix.* means all below a prefix') },
  flags: {},
  examples: ["seed '[{a: \"x\"}, {a: \"y\"}, {a: \"x\"}]' || top 1 a", "seed '[{tags: [\"hot\", \"new\"]}, {tags: [\"hot\"]}]' || top 5 tags.*"],
  rows: (_input, { args }) => upTo(args.count),

  check: ({ args }, written) => hiddenColumn(['count', 'share'], args.column, written),

  async *run(batches, { args, context: { scratch, signal } }) {
    const cells = cellsAt(args.column)
    const counts = new Counts()
    const spilled = new SpilledCounts({ scratch, pace: new Pace(signal), level: 0 })
    for await (const batch of batches) {
      for (const row of batch) for (const cell of cells(row)) counts.add(cell)
      await spilled.relieve([counts])
    }
    const [tally] = await spilled.tally([counts], args.count)
    const rows = (tally?.top ?? []).map(({ value, count }) => {
      const row: Row = {}
      setCell(row, args.column, value)
      row['count'] = count
      row['share'] = count / counts.total
      return row
    })
    yield* inBatches(rows)
  },
})
