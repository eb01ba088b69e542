import { product, upTo } from '../bounds.ts'
import { defineCommand } from '../command.ts'
import { Pace } from '../pace.ts'
import { choice, oneColumn, optional, otherwise, stage } from '../params.ts'
import { joinRows } from '../reduce/joinRows.ts'

export const join = defineCommand({
  name: 'join',
  kind: 'reduce',
  summary: 'Brings rows together with those of an earlier stage that are equal in a column',
  args: {
    stage: stage('Label or number of the other stage'),
    column: oneColumn('The column that must be equal'),
    otherColumn: optional(oneColumn('Its name in the other stage, where it is another')),
  },
  flags: { type: otherwise(choice('inner: rows with a partner; left: all rows; anti: rows without a partner', ['inner', 'left', 'anti']), 'inner') },
  examples: [
    "seed '[{id: 1, name: \"Ada\"}]' --labelStage people || seed '[{id: 1, city: \"Rome\"}, {id: 2, city: \"Oslo\"}]' || join people id",
    "seed '[{key: 1}]' --labelStage known || range 3 || join known n key --type anti",
  ],
  rows: (input, { args, flags, earlier }) => {
    if (flags.type === 'anti') return upTo(input.most)
    const { most } = product(input, earlier(args.stage))
    return flags.type === 'inner' ? upTo(most) : { least: input.least, most: most === null || input.most === null ? null : Math.max(most, input.most) }
  },

  run(batches, { args, flags, context: { rowsOf, scratch, signal } }) {
    const join = { type: flags.type, column: args.column, otherColumn: args.otherColumn ?? args.column, prefix: `${args.stage}.` }
    return joinRows(batches, () => rowsOf(args.stage), join, { scratch, pace: new Pace(signal), level: 0 })
  },
})
