import type { Cell } from '../rows.ts'

/** Adds numbers without losing the small ones beside the large. */
export class Sum {
  #sum = 0
  #lost = 0

  add(number: number): void {
    const next = this.#sum + number
    this.#lost += Math.abs(this.#sum) >= Math.abs(number) ? this.#sum - next + number : number - next + this.#sum
    this.#sum = next
  }

  get total(): number {
    return this.#sum + this.#lost
  }
}

/** The deviation of a sample, in one pass. */
export class Deviation {
  #count = 0
  #mean = 0
  #squares = 0

  add(number: number): void {
    this.#count += 1
    const distance = number - this.#mean
    this.#mean += distance / this.#count
    this.#squares += distance * (number - this.#mean)
  }

  result(): Cell {
    return this.#count < 2 ? null : finite(Math.sqrt(this.#squares / (this.#count - 1)))
  }
}

/** A row holds no number beyond the range of a double. */
export const finite = (number: number): Cell => (Number.isFinite(number) ? number : null)
