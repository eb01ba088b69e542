import { cellAt, isPattern, pickColumns } from '../columns.ts'
import { setCell, type Cell, type Row } from '../rows.ts'
import { bytesOfCell, bytesOfRow } from '../spill/heldBytes.ts'
import { rowKey } from './rowKey.ts'

/** What is gathered of one group of rows. */
export interface Group<State> {
  /** The columns that the rows of the group have in common. */
  readonly key: Row
  readonly state: State
}

const groupBytes = 200

/** Groups of rows that are equal in some columns, in the order of first appearance; without columns all rows are one group, even when there are none. */
export class Groups<State> {
  readonly keyOf: (row: Row) => Cell
  readonly #groups = new Map<Cell, Group<State>>()
  readonly #keyRow: (row: Row) => Row
  readonly #make: () => State
  #bytes = 0

  constructor(columns: readonly string[], make: () => State) {
    this.#make = make
    this.keyOf = columns.length === 0 ? () => null : rowKey(columns)
    this.#keyRow = keyRow(columns)
    if (columns.length === 0) this.of({})
  }

  get size(): number {
    return this.#groups.size
  }

  /** About how many bytes the keys take. */
  get bytes(): number {
    return this.#bytes
  }

  /** What is gathered of the row's group. */
  of(row: Row): State {
    const key = this.keyOf(row)
    const known = this.#groups.get(key)
    if (known) return known.state
    const group = { key: this.#keyRow(row), state: this.#make() }
    this.#groups.set(key, group)
    this.#bytes += groupBytes + bytesOfCell(key) + bytesOfRow(group.key)
    return group.state
  }

  /** What is gathered of a group that is known already. */
  known(key: Cell): State | undefined {
    return this.#groups.get(key)?.state
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
