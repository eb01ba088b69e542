import { sum } from '../bounds.ts'
import { defineCommand } from '../command.ts'
import { appendRows } from '../commonStage.ts'
import { stage } from '../params.ts'

export const append = defineCommand({
  name: 'append',
  kind: 'reduce',
  summary: 'Puts the rows of an earlier stage behind these',
  args: { stage: stage('Label or number of the other stage') },
  flags: {},
  examples: ['range 2 --labelStage numbers || filter "n == 1" || append numbers', 'range 3 || head 1 || append 0'],
  rows: (input, { args, earlier }) => sum(input, earlier(args.stage)),

  run(batches, { args, context }) {
    return appendRows(batches, () => context.rowsOf(args.stage))
  },
})
