import { cellAt, isPattern, pickColumns } from '../columns.ts'
import { setCell, type Row } from '../rows.ts'
import { rowKey } from './rowKey.ts'

/** What is gathered of one group of rows. */
export interface Group<State> {
  /** The columns that the rows of the group have in common. */
  readonly key: Row
  readonly state: State
}

/** Groups of rows that are equal in some columns, in the order of first appearance; without columns all rows are one group, even when there are none. */
export class Groups<State> {
  readonly #groups = new Map<unknown, Group<State>>()
  readonly #keyOf: (row: Row) => unknown
  readonly #keyRow: (row: Row) => Row
  readonly #make: () => State

  constructor(columns: readonly string[], make: () => State) {
    this.#make = make
    this.#keyOf = columns.length === 0 ? () => null : rowKey(columns)
    this.#keyRow = keyRow(columns)
    if (columns.length === 0) this.of({})
  }

  /** What is gathered of the row's group. */
  of(row: Row): State {
    const key = this.#keyOf(row)
    const known = this.#groups.get(key)
    if (known) return known.state
    const group = { key: this.#keyRow(row), state: this.#make() }
    this.#groups.set(key, group)
    return group.state
  }

  all(): IterableIterator<Group<State>> {
    return this.#groups.values()
  }
}

/** A named column is there even where the row lacks it, so that all groups have the same columns. */
function keyRow(columns: readonly string[]): (row: Row) => Row {
  const pickers = columns.map((name) => (isPattern(name) ? pickColumns([name]) : () => [name]))
  return (row) => {
    const key: Row = {}
    for (const pick of pickers) for (const name of pick(row)) setCell(key, name, cellAt(row, name))
    return key
  }
}
