/** Keeps some of any number of items, each with the same chance, and remembers where they stood. */
export class Reservoir<Item> {
  readonly #kept: { readonly place: number; readonly item: Item }[] = []
  readonly #size: number
  readonly #random: () => number
  #seen = 0

  constructor(size: number, random: () => number) {
    this.#size = size
    this.#random = random
  }

  add(item: Item): void {
    const place = this.#seen
    this.#seen += 1
    if (this.#kept.length < this.#size) {
      this.#kept.push({ place, item })
      return
    }
    const slot = Math.floor(this.#random() * this.#seen)
    if (slot < this.#size) this.#kept[slot] = { place, item }
  }

  /** In the order in which they came. */
  items(): Item[] {
    return this.#kept.toSorted((a, b) => a.place - b.place).map(({ item }) => item)
  }
}
