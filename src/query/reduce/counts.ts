import type { Cell } from '../rows.ts'
import { bytesOfCell } from '../spill/heldBytes.ts'

/** How often one value was met. */
export interface Counted {
  readonly value: Cell
  readonly count: number
  /** When it was first met, compared with others. */
  readonly place: number
}

const entryBytes = 48

/** How often each value was met; null is no value. */
export class Counts {
  #counts = new Map<Exclude<Cell, null>, number>()
  #total = 0
  #bytes = 0
  #taken = 0

  add(cell: Cell): void {
    if (cell === null) return
    const known = this.#counts.get(cell)
    if (known === undefined) this.#bytes += entryBytes + bytesOfCell(cell)
    this.#counts.set(cell, (known ?? 0) + 1)
    this.#total += 1
  }

  get total(): number {
    return this.#total
  }

  /** Of those that have not been taken away. */
  get distinct(): number {
    return this.#counts.size
  }

  /** About how many bytes they take. */
  get bytes(): number {
    return this.#bytes
  }

  /** The values that have not been taken away, as they were met. */
  *all(): Generator<Counted> {
    let place = this.#taken
    for (const [value, count] of this.#counts) yield { value, count, place: place++ }
  }

  /** Takes all values away. */
  take(): Generator<Counted> {
    const taken = this.all()
    const first = taken.next()
    const { size } = this.#counts
    this.#counts = new Map()
    this.#taken += size
    this.#bytes = 0
    return startingWith(first, taken)
  }

  /** The most frequent values; among equals the one that was met first. */
  top(most: number): Counted[] {
    const best = new Best(most)
    for (const counted of this.all()) best.offer(counted)
    return best.sorted()
  }
}

/** The generator reads the map when it is first asked, so its first answer is taken before the map is exchanged. */
function* startingWith(first: IteratorResult<Counted>, rest: Generator<Counted>): Generator<Counted> {
  if (first.done) return
  yield first.value
  yield* rest
}

/** Keeps the most frequent of any number of values; among equals those that were met first. */
export class Best {
  readonly #most: number
  #kept: Counted[] = []

  constructor(most: number) {
    this.#most = most
  }

  offer(counted: Counted): void {
    this.#kept.push(counted)
    // Cut only now and then, so that each is sorted a bounded number of times.
    if (this.#kept.length > 2 * this.#most + 1_000) this.#kept = this.sorted()
  }

  sorted(): Counted[] {
    return this.#kept.sort((a, b) => b.count - a.count || a.place - b.place).slice(0, this.#most)
  }
}
