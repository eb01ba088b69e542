/** The last so many of things that come one by one. */
export class Ring<Thing> {
  readonly #size: number
  readonly #things: Thing[] = []
  #next = 0

  constructor(size: number) {
    this.#size = size
  }

  add(thing: Thing): void {
    this.#things[this.#next] = thing
    this.#next = (this.#next + 1) % this.#size
  }

  /** Oldest first. */
  list(): Thing[] {
    return this.#things.length < this.#size ? [...this.#things] : [...this.#things.slice(this.#next), ...this.#things.slice(0, this.#next)]
  }
}
