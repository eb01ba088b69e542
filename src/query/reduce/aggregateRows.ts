import { cellAt, cellsAt, isPattern, keepColumns } from '../columns.ts'
import type { StageContext } from '../command.ts'
import { Pace } from '../pace.ts'
import { setCell, type Batch, type Cell, type Row } from '../rows.ts'
import { plainRows } from '../spill/form.ts'
import type { Beyond } from '../spill/partitions.ts'
import { batchRows } from '../stream.ts'
import type { Aggregate, Aggregation } from './aggregates.ts'
import type { Group } from './groups.ts'
import type { Held } from './heldValues.ts'
import { reduceGroups, type Reduction } from './reduceGroups.ts'
import { SpilledValues } from './spilledValues.ts'
import { WideRow } from './wideRow.ts'

/** A column of the result: what it is called, which column it gathers (`prefix.*` for all below a prefix, none for the rows themselves), and how. */
export interface AggregateColumn extends Aggregation {
  readonly name: string
  readonly column?: string
}

/** Makes a row a group of rows; only what the aggregates hold is kept. */
export function aggregateRows(
  batches: AsyncIterable<Batch>,
  by: readonly string[],
  columns: readonly AggregateColumn[],
  { scratch, signal }: Pick<StageContext, 'scratch' | 'signal'>,
): AsyncGenerator<Batch> {
  const beyond = { scratch, pace: new Pace(signal), level: 0 }
  return reduceGroups(batches, plainRows(), by, () => new Aggregating(by, columns, beyond), beyond)
}

const aggregateBytes = 250
/** From so many values on it is worth the trouble to give way while they are put in order. */
const manyBytes = 2 ** 20

class Aggregating implements Reduction<Aggregate[]> {
  readonly stateBytes: number
  readonly trim: (row: Row) => Row
  readonly #columns: readonly AggregateColumn[]
  readonly #feeds: readonly ((row: Row, add: (cell: Cell) => void) => void)[]
  readonly #held: Held = { bytes: 0 }
  readonly #spilled: SpilledValues[]
  readonly #pace: Pace

  constructor(by: readonly string[], columns: readonly AggregateColumn[], beyond: Beyond) {
    this.#columns = columns
    this.#feeds = columns.map(({ column }) => feedOf(column))
    this.#spilled = columns.map(() => new SpilledValues(beyond))
    this.#pace = beyond.pace
    this.trim = keepColumns([...by, ...columns.flatMap(({ column }) => column ?? [])])
    this.stateBytes = columns.length * aggregateBytes
  }

  get heldBytes(): number {
    return this.#held.bytes
  }

  make(): Aggregate[] {
    return this.#columns.map(({ make }) => make(this.#held))
  }

  add(state: readonly Aggregate[], row: Row): void {
    for (let index = 0; index < state.length; index += 1) {
      const aggregate = state[index]
      if (aggregate) this.#feeds[index]?.(row, aggregate.add)
    }
  }

  see(row: Row): void {
    for (const [index, { see }] of this.#columns.entries()) if (see) this.#feeds[index]?.(row, see)
  }

  async spill(groups: Iterable<Group<Aggregate[]>>): Promise<void> {
    const states = [...groups].map(({ state }) => state)
    for (const [index, spilled] of this.#spilled.entries()) if (states[0]?.[index]?.values) await spilled.add(states.map((state) => state[index]))
    this.#held.bytes = 0
  }

  async *results(groups: Iterable<Group<Aggregate[]>>): AsyncGenerator<Row[]> {
    const all = [...groups]
    const prepare = this.#preparing(all)
    for (let at = 0; at < all.length; at += batchRows) {
      const some = all.slice(at, at + batchRows)
      if (prepare) for (const [index, group] of some.entries()) await prepare(at + index, group)
      for (const { key, state } of some) {
        for (let index = 0; index < state.length; index += 1) setResult(key, this.#columns[index]?.name ?? '', state[index]?.result() ?? null)
      }
      yield some.map(({ key }) => key)
    }
  }

  /** What is to be done before a group has results; undefined where nothing is. */
  #preparing(groups: readonly Group<Aggregate[]>[]): ((number: number, group: Group<Aggregate[]>) => Promise<void>) | undefined {
    const restoring = this.#spilled.flatMap((spilled, index) => spilled.restoring(groups.map(({ state }) => state[index])) ?? [])
    if (restoring.length === 0 && this.#held.bytes <= manyBytes) return undefined
    return async (number, { state }) => {
      for (const restore of restoring) await restore(number)
      for (const { values } of state) await values?.settle?.(this.#pace)
    }
  }
}

/** Hands the values of a column to an aggregate; one that is missing is like null, which none counts. */
function feedOf(column: string | undefined): (row: Row, add: (cell: Cell) => void) => void {
  if (column === undefined) return (_row, add) => add(null)
  if (!isPattern(column)) return (row, add) => add(cellAt(row, column))
  const cells = cellsAt(column)
  return (row, add) => {
    for (const cell of cells(row)) add(cell)
  }
}

/** A list is flattened like any other. */
function setResult(row: Row, name: string, result: Cell | Cell[]): void {
  if (!Array.isArray(result)) return setCell(row, name, result)
  const wide = new WideRow(row, `the list ${name}`)
  for (const [index, cell] of result.entries()) wide.set(`${name}.${index}`, cell)
}
