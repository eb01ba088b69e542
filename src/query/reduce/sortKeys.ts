import { cellAt } from '../columns.ts'
import type { Row } from '../rows.ts'
import { keyOf, ranks } from './cellOrder.ts'
import type { Level } from './sortLevels.ts'

/** Compares two rows by their places in a list. */
export type ComparePlaces = (a: number, b: number) => number

/** Compares rows of a list by keys that are made once a row, not once a comparison. */
export function comparePlaces(rows: readonly Row[], levels: readonly Level[]): ComparePlaces {
  const compares = levels.map((level) => compareLevel(rows, level))
  const [only] = compares
  if (only && compares.length === 1) return only
  return (a, b) => {
    for (const compare of compares) {
      const order = compare(a, b)
      if (order !== 0) return order
    }
    return 0
  }
}

function compareLevel(rows: readonly Row[], { name, sign, kinds }: Level): ComparePlaces {
  const { areNumbers } = kinds
  if (areNumbers) {
    const numbers = numbersOf(rows, name)
    if (numbers) return (a, b) => ((numbers[a] ?? 0) - (numbers[b] ?? 0)) * sign
  }
  const keyRanks = new Uint8Array(rows.length)
  const keys = rows.map((row, place) => {
    const [rank, key] = keyOf(cellAt(row, name), areNumbers)
    keyRanks[place] = rank
    return key
  })
  return (a, b) => {
    const [rankA, rankB] = [keyRanks[a] ?? 0, keyRanks[b] ?? 0]
    if (rankA !== rankB) return rankA === ranks.none || rankB === ranks.none ? rankA - rankB : (rankA - rankB) * sign
    const [keyA, keyB] = [keys[a] ?? 0, keys[b] ?? 0]
    return keyA < keyB ? -sign : keyA > keyB ? sign : 0
  }
}

/** The values of a column that holds nothing but numbers, as most do. */
function numbersOf(rows: readonly Row[], name: string): Float64Array | undefined {
  const numbers = new Float64Array(rows.length)
  for (let place = 0; place < rows.length; place += 1) {
    const cell = cellAt(rows[place] ?? {}, name)
    if (typeof cell !== 'number') return undefined
    numbers[place] = cell
  }
  return numbers
}
