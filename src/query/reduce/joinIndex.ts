import { cellAt } from '../columns.ts'
import { asNumber } from '../expressions/values.ts'
import type { Cell, Row } from '../rows.ts'

/** Finds rows by a value, in their order; numeric text equals a number, as it does in expressions. */
export class JoinIndex {
  readonly #column: string
  readonly #rows: Row[] = []
  readonly #byCell = new Map<Cell, number[]>()
  readonly #numericTexts = new Map<number, number[]>()

  constructor(column: string) {
    this.#column = column
  }

  add(row: Row): void {
    const cell = cellAt(row, this.#column)
    if (cell === null) return
    const place = this.#rows.push(row) - 1
    addTo(this.#byCell, cell, place)
    const number = typeof cell === 'string' ? asNumber(cell) : null
    if (number !== null) addTo(this.#numericTexts, number, place)
  }

  find(cell: Cell): readonly Row[] {
    if (cell === null) return []
    const same = this.#byCell.get(cell) ?? []
    const number = asNumber(cell)
    const alike = number === null ? [] : ((typeof cell === 'number' ? this.#numericTexts : this.#byCell).get(number) ?? [])
    const places = alike.length === 0 ? same : [...same, ...alike].toSorted((a, b) => a - b)
    return places.map((place) => this.#rows[place]).filter((row) => row !== undefined)
  }
}

/** What values that may be equal have in common. */
export const commonKey = (cell: Cell): Cell => asNumber(cell) ?? cell

function addTo<Key>(index: Map<Key, number[]>, key: Key, place: number): void {
  const places = index.get(key)
  if (places) places.push(place)
  else index.set(key, [place])
}
