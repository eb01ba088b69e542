import { cellAt, withCells } from '../columns.ts'
import { defineCommand, type StageContext } from '../command.ts'
import { isTrue } from '../expressions/values.ts'
import { expression, oneColumn, rest, templateIn, typed, value, type Param } from '../params.ts'
import type { Cell, Row } from '../rows.ts'
import { rowLookup } from '../run.ts'
import { mapRows } from '../stream.ts'
import { fault, type Fault } from '../text/fault.ts'
import type { ValuePiece } from '../text/syntax.ts'

const condition = expression('A condition')
const outcome = value('A value')

/** Conditions and values take turns, so only their places tell how each is read. */
const branch: Param<ValuePiece> = {
  type: 'condition or value',
  doc: 'A condition and the value where it holds, in turn; a last one alone is for when none holds',
  read: (piece) => ({ value: piece, shown: typed(piece), faults: [] }),
}

export const caseCommand = defineCommand({
  name: 'case',
  kind: 'map',
  summary: 'Sets a column to the value of the first condition that holds; without one that holds the column stays as it is',
  args: { column: oneColumn('The column'), branches: rest(branch) },
  flags: {},
  examples: ["range 4 || case size 'n < 2' small large", "seed '[{s: 404}, {s: 500}, {s: 200}]' || case kind 's >= 500' server 's >= 400' client"],

  check({ args }, { name }) {
    if (args.branches.length < 2) return [fault(name.start, name.end, 'case needs a condition and a value', { expected: 'case <column> <condition> <value>' })]
    const faults: Fault[] = []
    for (const [when, then] of pairsOf(args.branches)) faults.push(...condition.read(when).faults, ...templateIn(then).faults)
    return faults
  },

  run(batches, { args, context }) {
    const decide = decideBy(args.branches, args.column)
    return mapRows(batches, (row) => withCells(row, { [args.column]: decide(row, context) }))
  },
})

function* pairsOf(branches: readonly ValuePiece[]): Generator<[ValuePiece, ValuePiece]> {
  for (let index = 0; index + 1 < branches.length; index += 2) {
    const [when, then] = [branches[index], branches[index + 1]]
    if (when && then) yield [when, then]
  }
}

function decideBy(branches: readonly ValuePiece[], name: string): (row: Row, context: StageContext) => Cell {
  const pairs = Array.from(pairsOf(branches), ([when, then]) => ({ holds: condition.read(when).value, make: outcome.read(then).value }))
  const last = branches.length % 2 === 1 ? branches.at(-1) : undefined
  const otherwise = last && outcome.read(last).value
  return (row, context) => {
    const lookup = rowLookup(row, context)
    const make = pairs.find(({ holds }) => isTrue(holds(row, lookup)))?.make ?? otherwise
    return make ? make(row, lookup) : cellAt(row, name)
  }
}
