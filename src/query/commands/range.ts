import { exactly } from '../bounds.ts'
import { defineCommand } from '../command.ts'
import { integer, optional } from '../params.ts'
import type { Row } from '../rows.ts'
import { inBatches } from '../stream.ts'
import { fault } from '../text/fault.ts'

const most = Number.MAX_SAFE_INTEGER

export const range = defineCommand({
  name: 'range',
  kind: 'generate',
  summary: 'Counts: one row a number, in the column n',
  args: {
    from: integer('How many rows, counting from 0; with a second number, where to begin', -most, most),
    to: optional(integer('Where to end; this number is not included', -most, most)),
    step: optional(integer('How far it is from one number to the next', -most, most)),
  },
  flags: {},
  examples: ['range 3', 'range 10 0 -5'],
  rows: (_input, { args: { from, to, step = 1 } }) => exactly(to === undefined ? Math.max(0, from) : steps(from, to, step)),

  check({ args }, { values }) {
    const place = values[2]
    return args.step === 0 && place ? [fault(place.start, place.end, 'a step of 0 never arrives', { expected: 'a whole number other than 0' })] : []
  },

  run(_batches, { args }) {
    return inBatches(args.to === undefined ? numbers(0, args.from, 1) : numbers(args.from, args.to, args.step ?? 1))
  },
})

function* numbers(from: number, to: number, step: number): Generator<Row> {
  if (step > 0) for (let n = from; n < to; n += step) yield { n }
  if (step < 0) for (let n = from; n > to; n += step) yield { n }
}

function steps(from: number, to: number, step: number): number {
  return step === 0 ? 0 : Math.max(0, Math.ceil((to - from) / step))
}
