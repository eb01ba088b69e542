import type { Pace } from '../pace.ts'
import { batchRows } from '../stream.ts'
import { Heap } from './heap.ts'

/** One sorted source, at the item that comes next. */
class Cursor<Item> {
  readonly place: number
  readonly #source: AsyncIterator<Item[]>
  #items: readonly Item[] = []
  #at = 0

  constructor(source: AsyncIterable<Item[]>, place: number) {
    this.#source = source[Symbol.asyncIterator]()
    this.place = place
  }

  /** Only to be asked while `step` or `load` said that there is one. */
  get head(): Item {
    return this.#items[this.#at] as Item // the place is below the length
  }

  /** Goes on to the next item; false where it must be loaded first. */
  step(): boolean {
    this.#at += 1
    return this.#at < this.#items.length
  }

  /** Loads the next items; false at the end. */
  async load(): Promise<boolean> {
    for (;;) {
      const next = await this.#source.next()
      if (next.done) return false
      this.#items = next.value
      this.#at = 0
      if (next.value.length > 0) return true
    }
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }
}

/** Merges sorted sources into one; of equal items those of an earlier source come first. */
export async function* mergeSorted<Item>(
  sources: readonly AsyncIterable<Item[]>[],
  compare: (a: Item, b: Item) => number,
  pace: Pace,
  size = batchRows,
): AsyncGenerator<Item[]> {
  const cursors = sources.map((source, place) => new Cursor(source, place))
  const heap = new Heap<Cursor<Item>>((a, b) => compare(a.head, b.head) || a.place - b.place)
  try {
    for (const cursor of cursors) if (await cursor.load()) heap.push(cursor)
    let batch: Item[] = []
    for (let top = heap.top; top; top = heap.top) {
      batch.push(top.head)
      if (top.step() || (await top.load())) heap.sink()
      else heap.pop()
      if (batch.length < size) continue
      yield batch
      batch = []
      await pace.giveWay()
    }
    if (batch.length > 0) yield batch
  } finally {
    for (const cursor of cursors) await cursor.close()
  }
}
