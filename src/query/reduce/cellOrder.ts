import { asNumber } from '../expressions/values.ts'
import type { Cell } from '../rows.ts'

/** Numbers go before texts, texts before booleans; nulls are last whatever the direction is. */
export const ranks = { number: 0, text: 1, boolean: 2, none: 3 } as const

/** Puts two values of a column in order. */
export function compareCells(a: Cell, b: Cell, areNumbers: boolean, sign: 1 | -1): number {
  if (typeof a === 'number' && typeof b === 'number' && areNumbers) return (a - b) * sign
  const [rankA, valueA] = keyOf(a, areNumbers)
  const [rankB, valueB] = keyOf(b, areNumbers)
  if (rankA !== rankB) return rankA === ranks.none || rankB === ranks.none ? rankA - rankB : (rankA - rankB) * sign
  return valueA < valueB ? -sign : valueA > valueB ? sign : 0
}

/** What a value is compared by. */
export function keyOf(cell: Cell, areNumbers: boolean): readonly [rank: number, value: number | string] {
  if (cell === null) return [ranks.none, 0]
  if (typeof cell === 'boolean') return [ranks.boolean, Number(cell)]
  const number = areNumbers ? asNumber(cell) : null
  return number === null ? [ranks.text, String(cell)] : [ranks.number, number]
}
