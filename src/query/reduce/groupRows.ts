import { cellAt } from '../columns.ts'
import { maxColumns, type Row } from '../rows.ts'
import { placedRows, type Form } from '../spill/form.ts'
import { bytesOfRow } from '../spill/heldBytes.ts'
import { deeper, eachPartition, inPlace, mayPart, Partitions, type Beyond, type Placed } from '../spill/partitions.ts'
import { batchRows } from '../stream.ts'
import { Groups, type Group } from './groups.ts'
import { tooWide, WideRow } from './wideRow.ts'

/** Makes one row of the rows of each group, in the order of first appearance. What does not fit into memory waits on disk, group by group. */
export async function* groupRows<Item>(source: AsyncIterable<Item[]>, form: Form<Item>, columns: readonly string[], beyond: Beyond): AsyncGenerator<Item[]> {
  const held = new HeldGroups(form, columns, beyond)
  for await (const items of source) await held.take(items)
  if (!held.parts) return yield* held.results()
  const works = eachPartition(await held.parts.end(), (items) => groupRows(items, placedRows, columns, deeper(beyond)))
  for await (const items of inPlace(works, beyond)) yield items.map((item) => form.restored(item))
}

interface Rows<Item> {
  readonly items: Item[]
  columns: number
}

const noRows = <Item>(): Rows<Item> => ({ items: [], columns: 0 })

/** A group that is too wide is refused before it fills the memory. */
function addTo<Item>(rows: Rows<Item>, item: Item, row: Row): void {
  rows.items.push(item)
  rows.columns += Object.keys(row).length
  if (rows.columns > maxColumns) throw tooWide('groupBy')
}

/** The rows of all groups: in memory, or all of them on disk. */
class HeldGroups<Item> {
  parts: Partitions<Placed> | undefined
  readonly #form: Form<Item>
  readonly #columns: readonly string[]
  readonly #beyond: Beyond
  #groups: Groups<Rows<Item>>
  #bytes = 0

  constructor(form: Form<Item>, columns: readonly string[], beyond: Beyond) {
    this.#form = form
    this.#columns = columns
    this.#beyond = beyond
    this.#groups = new Groups(columns, noRows<Item>)
  }

  async take(items: readonly Item[]): Promise<void> {
    if (this.parts) return this.#part(items, this.parts)
    for (const item of items) {
      const row = this.#form.rowOf(item)
      addTo(this.#groups.of(row), item, row)
      this.#bytes += bytesOfRow(row)
    }
    if (this.#bytes + this.#groups.bytes > this.#beyond.scratch.memoryBytes && mayPart(this.#beyond)) await this.#spill()
  }

  async #spill(): Promise<void> {
    const parts = new Partitions<Placed>(this.#beyond)
    for (const { state } of this.#groups.all()) {
      await this.#part(state.items, parts)
      await this.#beyond.pace.giveWay()
    }
    this.#groups = new Groups(this.#columns, noRows<Item>)
    this.parts = parts
  }

  async #part(items: readonly Item[], parts: Partitions<Placed>): Promise<void> {
    for (const item of items) {
      const row = this.#form.rowOf(item)
      parts.add(this.#groups.keyOf(row), this.#form.placed(item), bytesOfRow(row))
    }
    await parts.settle()
  }

  *results(): Generator<Item[]> {
    let batch: Item[] = []
    let columns = 0
    for (const group of this.#groups.all()) {
      const [first] = group.state.items
      if (first === undefined) continue
      const row = this.#rowOf(group)
      batch.push(this.#form.restored([this.#form.placed(first)[0], row]))
      columns += Object.keys(row).length
      if (batch.length < batchRows && columns < maxCells) continue
      yield batch
      batch = []
      columns = 0
    }
    if (batch.length > 0) yield batch
  }

  #rowOf({ key, state }: Group<Rows<Item>>): Row {
    const wide = new WideRow(key, 'groupBy')
    for (const [index, item] of state.items.entries()) {
      const row = this.#form.rowOf(item)
      for (const name of Object.keys(row)) wide.set(`_group.${index}.${name}`, cellAt(row, name))
    }
    return wide.row
  }
}

/** Cells that a batch holds at most, unless one row has more. */
const maxCells = 1_000_000
