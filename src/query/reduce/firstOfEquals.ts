import type { Cell, Row } from '../rows.ts'
import { placedRows, type Form } from '../spill/form.ts'
import { bytesOfCell, bytesOfRow } from '../spill/heldBytes.ts'
import { deeper, eachPartition, inPlace, mayPart, Partitions, type Beyond, type Placed } from '../spill/partitions.ts'
import { shortKey } from './rowKey.ts'

const entryBytes = 40

/** The first of rows that have the same key. When memory is full, rows with keys that are not known by then wait on disk. */
export async function* firstOfEquals<Item>(source: AsyncIterable<Item[]>, form: Form<Item>, keyOf: (row: Row) => Cell, beyond: Beyond): AsyncGenerator<Item[]> {
  const sieve = new Sieve(form, keyOf, beyond)
  for await (const items of source) {
    const firsts = sieve.take(items)
    await sieve.others?.settle()
    if (firsts.length > 0) yield firsts
  }
  if (!sieve.others) return
  const works = eachPartition(await sieve.others.end(), (items) => firstOfEquals(items, placedRows, keyOf, deeper(beyond)))
  for await (const items of inPlace(works, beyond)) yield items.map((item) => form.restored(item))
}

class Sieve<Item> {
  others: Partitions<Placed> | undefined
  readonly #form: Form<Item>
  readonly #keyOf: (row: Row) => Cell
  readonly #beyond: Beyond
  readonly #seen = new Set<Cell>()
  #bytes = 0

  constructor(form: Form<Item>, keyOf: (row: Row) => Cell, beyond: Beyond) {
    this.#form = form
    this.#keyOf = keyOf
    this.#beyond = beyond
  }

  take(items: readonly Item[]): Item[] {
    if (this.#bytes > this.#beyond.scratch.memoryBytes && mayPart(this.#beyond)) this.others ??= new Partitions(this.#beyond)
    return items.filter((item) => this.#isFirst(item))
  }

  #isFirst(item: Item): boolean {
    const row = this.#form.rowOf(item)
    const key = shortKey(this.#keyOf(row))
    if (this.others) {
      if (!this.#seen.has(key)) this.others.add(key, this.#form.placed(item), bytesOfRow(row))
      return false
    }
    const before = this.#seen.size
    if (this.#seen.add(key).size === before) return false
    this.#bytes += entryBytes + bytesOfCell(key)
    return true
  }
}
