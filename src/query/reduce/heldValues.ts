import { asNumber } from '../expressions/values.ts'
import type { Cell } from '../rows.ts'
import type { Pace } from '../pace.ts'
import { bytesOfCell } from '../spill/heldBytes.ts'
import type { Aggregate } from './aggregates.ts'
import { compareCells } from './cellOrder.ts'
import { finite } from './numbers.ts'
import { sortNumbers } from './sortNumbers.ts'
import { sortPlaces } from './sortPlaces.ts'

/** Counts the bytes that values of all groups take together. */
export interface Held {
  bytes: number
}

/** The values that an aggregate holds; they can be taken away in pieces, each in order, and are then given back all together in this order. */
export interface HeldValues {
  readonly compare: (a: Cell, b: Cell) => number
  /** Takes the values away, in order, giving way in between. */
  readonly take: (pace: Pace) => Promise<Iterable<Cell>>
  /** Gives a value back; of the smallest first. */
  readonly giveBack: (cell: Cell) => void
  /** Prepares the result of values that were never taken away, giving way in between. */
  readonly settle?: (pace: Pace) => Promise<void>
}

const entryBytes = 40

/** Counts values that differ. */
export function distinct(held: Held): Aggregate {
  const seen = new Set<Cell>()
  let count = 0
  let before: Cell = null
  const number = (cell: Cell): Cell => (typeof cell === 'number' ? cell : null)
  const compare = (a: Cell, b: Cell): number => compareCells(number(a), number(b), true, 1) || compareCells(a, b, false, 1)
  return {
    add(cell) {
      if (cell === null || seen.size === seen.add(cell).size) return
      held.bytes += entryBytes + bytesOfCell(cell)
    },
    result: () => count + seen.size,
    values: {
      compare,
      async take(pace) {
        const cells = [...seen]
        seen.clear()
        const places = await sortPlaces(cells.length, (a, b) => compare(cells[a] ?? null, cells[b] ?? null), pace)
        return cellsAtPlaces(cells, places)
      },
      giveBack(cell) {
        if (cell !== before) count += 1
        before = cell
      },
    },
  }
}

function* cellsAtPlaces(cells: readonly Cell[], places: Uint32Array): Generator<Cell> {
  for (const place of places) yield cells[place] ?? null
}

/** All values, in their order. */
export function list(held: Held): Aggregate {
  let cells: Cell[] = []
  return {
    add(cell) {
      if (cell === null) return
      cells.push(cell)
      held.bytes += 8 + bytesOfCell(cell)
    },
    result: () => cells,
    values: {
      compare: () => 0,
      take() {
        const taken = cells
        cells = []
        return Promise.resolve(taken)
      },
      giveBack: (cell) => void cells.push(cell),
    },
  }
}

/** The value below which a part of the numbers lies; between two numbers it is drawn in a straight line. */
export const percentileOf = (percent: number) => (held: Held): Aggregate => {
  let numbers: number[] = []
  let sorted: Float64Array | undefined
  let [count, given] = [0, 0]
  let below: number | undefined
  let above: number | undefined
  const place = (): number => ((count - 1) * percent) / 100
  const giveBack = (number: number): void => {
    if (given === Math.floor(place())) below = number
    if (given === Math.ceil(place())) above = number
    given += 1
  }
  return {
    add(cell) {
      const number = asNumber(cell)
      if (number === null) return
      numbers.push(number)
      count += 1
      held.bytes += 8
    },
    result() {
      if (given === 0) {
        sorted ??= Float64Array.from(numbers).sort()
        below = sorted[Math.floor(place())]
        above = sorted[Math.ceil(place())]
      }
      return below === undefined || above === undefined ? null : finite(below + (above - below) * (place() - Math.floor(place())))
    },
    values: {
      compare: (a, b) => Number(a) - Number(b),
      take(pace) {
        const taken = numbers
        numbers = []
        return sortNumbers(taken, pace)
      },
      giveBack: (cell) => giveBack(Number(cell)),
      async settle(pace) {
        sorted = await sortNumbers(numbers, pace)
      },
    },
  }
}
