import { asNumber } from '../expressions/values.ts'
import type { Cell } from '../rows.ts'

/** Tells whether the values of a column are put in order as numbers: it holds a number, or all its texts read as numbers. */
export class ValueKinds {
  #numbers = false
  #numericTexts = false
  #otherTexts = false

  add(cell: Cell): void {
    if (this.#numbers) return
    if (typeof cell === 'number') this.#numbers = true
    // Beside one other text it does not matter any more what the texts are.
    else if (typeof cell !== 'string' || this.#otherTexts) return
    else if (asNumber(cell) !== null) this.#numericTexts = true
    // An empty cell of a table says nothing about the others.
    else if (cell.trim() !== '') this.#otherTexts = true
  }

  get areNumbers(): boolean {
    return this.#numbers || (this.#numericTexts && !this.#otherTexts)
  }

  /** Whether no further value can change the answer. */
  get areSettled(): boolean {
    return this.#numbers
  }
}
