import { cellAt, isPattern, pickColumns } from '../columns.ts'
import { asNumber } from '../expressions/values.ts'
import type { Cell, Row } from '../rows.ts'
import { ValueKinds } from './valueKinds.ts'

/** A direction of sorting. */
export type Order = 'ascending' | 'descending'

/** A column to sort by, and in which direction. */
export interface SortColumn {
  readonly column: string
  readonly order: Order
}

/** What a value is compared by: numbers go before texts, texts before booleans. */
type SortKey = { readonly rank: 0; readonly value: number } | { readonly rank: 1; readonly value: string } | { readonly rank: 2; readonly value: number } | null

/** Sorts rows by columns; equal rows keep their order, and nulls are last whatever the order is. */
export function sortRows(rows: readonly Row[], columns: readonly SortColumn[]): Row[] {
  const levels = columns.flatMap(({ column, order }) => namesOf(rows, column).map((name) => ({ keys: keysOf(rows.map((row) => cellAt(row, name))), sign: order === 'ascending' ? 1 : -1 })))
  const places = rows.map((_, index) => index)
  places.sort((a, b) => {
    for (const { keys, sign } of levels) {
      const order = compareKeys(keys[a] ?? null, keys[b] ?? null, sign)
      if (order !== 0) return order
    }
    return 0
  })
  return places.map((place) => rows[place]).filter((row) => row !== undefined)
}

/** The columns that a name means in any of the rows. */
function namesOf(rows: readonly Row[], column: string): string[] {
  if (!isPattern(column)) return [column]
  const pick = pickColumns([column])
  const names = new Set<string>()
  for (const row of rows) for (const name of pick(row)) names.add(name)
  return [...names]
}

/** Made once a value, not once a comparison. */
function keysOf(cells: readonly Cell[]): SortKey[] {
  const kinds = new ValueKinds()
  for (const cell of cells) kinds.add(cell)
  const { areNumbers } = kinds
  return cells.map((cell) => {
    if (cell === null) return null
    if (typeof cell === 'boolean') return { rank: 2, value: Number(cell) }
    const number = areNumbers ? asNumber(cell) : null
    return number === null ? { rank: 1, value: String(cell) } : { rank: 0, value: number }
  })
}

function compareKeys(a: SortKey, b: SortKey, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  if (a.rank !== b.rank) return (a.rank - b.rank) * sign
  return a.value < b.value ? -sign : a.value > b.value ? sign : 0
}
