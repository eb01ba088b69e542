import { hash } from 'node:crypto'
import { cellAt, isPattern, pickColumns } from '../columns.ts'
import type { Cell, Row } from '../rows.ts'

/** Makes one value of some columns of a row (none: of all), the same for rows that are equal there; null and missing are alike. */
export function rowKey(columns: readonly string[]): (row: Row) => Cell {
  const [only] = columns
  if (columns.length === 1 && only !== undefined && !isPattern(only)) return (row) => cellAt(row, only)
  if (only !== undefined && !columns.some(isPattern)) return (row) => JSON.stringify(columns.map((name) => cellAt(row, name)))
  const pick = only === undefined ? Object.keys : pickColumns(columns)
  const sort = sorting()
  return (row) => {
    let key = ''
    for (const [name, begin] of sort(pick(row))) {
      const cell = cellAt(row, name)
      if (cell !== null) key += begin + JSON.stringify(cell)
    }
    return key
  }
}

/** Sorts names and makes JSON of them; most rows have the names of the row before, whose answer is kept. */
function sorting(): (names: readonly string[]) => readonly (readonly [name: string, begin: string])[] {
  let last: readonly string[] = []
  let sorted: readonly (readonly [string, string])[] = []
  return (names) => {
    if (names.length === last.length && names.every((name, at) => name === last[at])) return sorted
    last = names
    sorted = names.toSorted().map((name) => [name, `,${JSON.stringify(name)}:`] as const)
    return sorted
  }
}

const longestKept = 64

/** A key that takes little memory however long the text is; a digest cannot be taken for a short key, which has a mark of its own. */
export function shortKey(key: Cell): Cell {
  if (typeof key !== 'string') return key
  return key.length <= longestKept ? `=${key}` : `#${hash('sha256', Buffer.from(key, 'utf16le'), 'base64')}`
}
