import type { Row } from '../rows.ts'
import { placedRows, type Form } from '../spill/form.ts'
import { bytesOfRow } from '../spill/heldBytes.ts'
import { deeper, eachPartition, inPlace, mayPart, Partitions, type Beyond, type Placed } from '../spill/partitions.ts'
import { Groups, type Group } from './groups.ts'

/** How the rows of groups become a row each. */
export interface Reduction<State> {
  make(): State
  add(state: State, row: Row): void
  /** Hears of a row whose group is reduced later. */
  see(row: Row): void
  /** What of a row is needed later. */
  trim(row: Row): Row
  /** Bytes that a state takes, and those that values add to all states together. */
  readonly stateBytes: number
  readonly heldBytes: number
  /** Puts held values on disk. */
  spill(groups: Iterable<Group<State>>): Promise<void>
  /** One for each group, in their order, in batches; undefined where a group has none. */
  results(groups: Iterable<Group<State>>): AsyncIterable<readonly (Row | undefined)[]>
}

/** Makes a row a group, in the order of first appearance. When memory is full, rows of groups that are not known by then wait on disk. */
export async function* reduceGroups<Item, State>(
  source: AsyncIterable<Item[]>,
  form: Form<Item>,
  by: readonly string[],
  makeReduction: () => Reduction<State>,
  beyond: Beyond,
): AsyncGenerator<Item[]> {
  const reduction = makeReduction()
  const table = new Table(form, by, reduction, beyond)
  for await (const items of source) {
    table.take(items)
    await table.settle()
  }
  yield* table.results()
  if (!table.others) return
  const works = eachPartition(await table.others.end(), (items) => reduceGroups(items, placedRows, by, makeReduction, deeper(beyond)))
  for await (const items of inPlace(works, beyond)) yield items.map((item) => form.restored(item))
}

/** The groups that fit into memory, and the rows of the others. */
class Table<Item, State> {
  others: Partitions<Placed> | undefined
  readonly #form: Form<Item>
  readonly #reduction: Reduction<State>
  readonly #beyond: Beyond
  readonly #groups: Groups<State>
  /** Of the first row of each group. */
  readonly #places: number[] = []

  constructor(form: Form<Item>, by: readonly string[], reduction: Reduction<State>, beyond: Beyond) {
    this.#form = form
    this.#reduction = reduction
    this.#beyond = beyond
    this.#groups = new Groups(by, () => reduction.make())
  }

  take(items: readonly Item[]): void {
    if (this.others) return this.#takeKnown(items, this.others)
    for (const item of items) {
      const row = this.#form.rowOf(item)
      this.#reduction.add(this.#groups.of(row), row)
      if (this.#groups.size > this.#places.length) this.#places.push(this.#form.placed(item)[0])
    }
  }

  #takeKnown(items: readonly Item[], others: Partitions<Placed>): void {
    for (const item of items) {
      const row = this.#form.rowOf(item)
      const key = this.#groups.keyOf(row)
      const state = this.#groups.known(key)
      if (state !== undefined) this.#reduction.add(state, row)
      else {
        this.#reduction.see(row)
        const [place] = this.#form.placed(item)
        const needed = this.#reduction.trim(row)
        others.add(key, [place, needed], bytesOfRow(needed))
      }
    }
  }

  async settle(): Promise<void> {
    const { memoryBytes } = this.#beyond.scratch
    if (this.#groups.bytes + this.#groups.size * this.#reduction.stateBytes > memoryBytes / 2 && mayPart(this.#beyond)) this.others ??= new Partitions(this.#beyond)
    if (this.#reduction.heldBytes > memoryBytes / 2) await this.#reduction.spill(this.#groups.all())
    await this.others?.settle()
  }

  async *results(): AsyncGenerator<Item[]> {
    let group = 0
    for await (const rows of this.#reduction.results(this.#groups.all())) {
      const batch: Item[] = []
      for (const row of rows) {
        if (row) batch.push(this.#form.restored([this.#places[group] ?? 0, row]))
        group += 1
      }
      if (batch.length > 0) yield batch
      await this.#beyond.pace.giveWay()
    }
  }
}
