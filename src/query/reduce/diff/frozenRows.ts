import type { Cell, Row } from '../../rows.ts'
import { bytesOfRow } from '../../spill/heldBytes.ts'
import type { Placed } from '../../spill/partitions.ts'
import { changedRow, marked } from './compareRows.ts'
import type { CellForm } from './frozenForm.ts'

/** Where several rows of one key are, of which the first have been taken. */
interface Queue {
  readonly at: number[]
  taken: number
}

/** What a row takes beside itself: its place in the list and in the map. */
const entryBytes = 100

/** Frozen rows in memory, to be met by new ones of the same key, in order. */
export class FrozenRows {
  readonly #rows: (Placed | undefined)[] = []
  readonly #byKey = new Map<Cell, number | Queue>()
  readonly #form: CellForm
  #bytes = 0

  /** `form` is what cells are compared in. */
  constructor(form: CellForm) {
    this.#form = form
  }

  /** About how much memory they take. */
  get bytes(): number {
    return this.#bytes
  }

  add(key: Cell, placed: Placed): void {
    const at = this.#rows.push(placed) - 1
    const known = this.#byKey.get(key)
    if (known === undefined) this.#byKey.set(key, at)
    else if (typeof known === 'number') this.#byKey.set(key, { at: [known, at], taken: 0 })
    else known.at.push(at)
    this.#bytes += entryBytes + bytesOfRow(placed[1])
  }

  /** What becomes of a new row; undefined where it is not worth telling. */
  meet(key: Cell, row: Row, all: boolean): Row | undefined {
    const before = this.#take(key)
    if (!before) return marked(row, 'added')
    return changedRow(before, row, this.#form) ?? (all ? marked(row, 'unchanged') : undefined)
  }

  /** Gives up the rows that no new one has met, in their order. */
  *left(): Generator<Placed> {
    this.#byKey.clear()
    for (const [at, placed] of this.#rows.entries()) {
      this.#rows[at] = undefined
      if (placed) yield placed
    }
  }

  #take(key: Cell): Row | undefined {
    const at = this.#next(key)
    if (at === undefined) return undefined
    const placed = this.#rows[at]
    this.#rows[at] = undefined
    return placed?.[1]
  }

  #next(key: Cell): number | undefined {
    const known = this.#byKey.get(key)
    if (known === undefined) return undefined
    if (typeof known === 'object') return known.at[known.taken++]
    this.#byKey.delete(key)
    return known
  }
}
