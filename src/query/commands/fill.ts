import { cellAt, isPattern, pickColumns, withCells } from '../columns.ts'
import { defineCommand, type Call } from '../command.ts'
import { boolean, column, optional, otherwise, value, type Filled } from '../params.ts'
import { setCell, type Batch, type Cell, type Row } from '../rows.ts'
import { rowLookup } from '../run.ts'
import { mapRows } from '../stream.ts'
import { fault } from '../text/fault.ts'

export const fill = defineCommand({
  name: 'fill',
  kind: 'map',
  summary: 'Sets a column where it is null, missing or empty',
  args: { column: column('The column, or prefix.* for all below a prefix'), value: optional(value('What to put there; $column$ takes it from the row')) },
  flags: { down: otherwise(boolean('Takes the value of the row above'), false) },
  examples: ["seed '[{a: 1}, {a: null}, {}]' || fill a 0", "seed '[{a: \"x\"}, {a: \"\"}, {a: \"y\"}]' || fill a --down"],

  check({ args, flags }, { name, values }) {
    const place = values[1] ?? name
    if (flags.down && args.value) return [fault(place.start, place.end, 'fill --down takes no value', { expected: 'a value or --down' })]
    return flags.down || args.value ? [] : [fault(place.start, place.end, 'fill needs a value', { expected: 'a value or --down' })]
  },

  run(batches, { args, flags, context }) {
    const pick = pickColumns([args.column])
    const namesOf = isPattern(args.column) ? pick : () => [args.column]
    return flags.down ? fillDown(batches, namesOf) : fillWith(batches, namesOf, args.value, context)
  },
})

const isEmpty = (cell: Cell): boolean => cell === null || cell === ''

function fillWith(batches: AsyncIterable<Batch>, namesOf: (row: Row) => string[], make: Filled<Cell> | undefined, context: Call['context']): AsyncIterable<Batch> {
  return mapRows(batches, (row) => {
    const empty = namesOf(row).filter((name) => isEmpty(cellAt(row, name)))
    if (empty.length === 0 || !make) return row
    const cell = make(row, rowLookup(row, context))
    return withCells(row, Object.fromEntries(empty.map((name) => [name, cell])))
  })
}

function fillDown(batches: AsyncIterable<Batch>, namesOf: (row: Row) => string[]): AsyncIterable<Batch> {
  const above = new Map<string, Cell>()
  return mapRows(batches, (row) => {
    const filled = { ...row }
    for (const name of namesOf(row)) {
      const cell = cellAt(row, name)
      if (!isEmpty(cell)) above.set(name, cell)
      else if (above.has(name)) setCell(filled, name, above.get(name) ?? null)
    }
    return filled
  })
}
