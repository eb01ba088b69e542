/** Keeps the least of its items on top. */
export class Heap<Item> {
  readonly #items: Item[] = []
  readonly #compare: (a: Item, b: Item) => number

  constructor(compare: (a: Item, b: Item) => number) {
    this.#compare = compare
  }

  get top(): Item | undefined {
    return this.#items[0]
  }

  push(item: Item): void {
    this.#items.push(item)
    this.#items.sort(this.#compare) // a sorted list is a heap, and all are pushed before the first is taken
  }

  pop(): void {
    const last = this.#items.pop()
    if (last === undefined || this.#items.length === 0) return
    this.#items[0] = last
    this.sink()
  }

  /** Puts the top, which has changed, in its place. */
  sink(): void {
    const items = this.#items
    const moved = items[0]
    if (moved === undefined) return
    for (let at = 0; ; ) {
      const left = items[2 * at + 1]
      const right = items[2 * at + 2]
      const isRight = left !== undefined && right !== undefined && this.#compare(right, left) < 0
      const least = isRight ? right : left
      if (least === undefined || this.#compare(moved, least) <= 0) return
      const place = 2 * at + (isRight ? 2 : 1)
      items[at] = least
      items[place] = moved
      at = place
    }
  }
}
