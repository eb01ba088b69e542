import { createHash } from 'node:crypto'
import { cellAt, isPattern, pickColumns } from '../columns.ts'
import type { Cell, Row } from '../rows.ts'

/** Makes one value of some columns of a row (none: of all), the same for rows that are equal there; null and missing are alike. */
export function rowKey(columns: readonly string[]): (row: Row) => Cell {
  const [only] = columns
  if (columns.length === 1 && only !== undefined && !isPattern(only)) return (row) => cellAt(row, only)
  if (only !== undefined && !columns.some(isPattern)) return (row) => JSON.stringify(columns.map((name) => cellAt(row, name)))
  const pick = only === undefined ? Object.keys : pickColumns(columns)
  return (row) => JSON.stringify(pick(row).filter((name) => cellAt(row, name) !== null).toSorted().map((name) => [name, cellAt(row, name)]))
}

const longestKept = 64

/** A key that takes little memory however long the text is; a digest cannot be taken for a short key, which has a mark of its own. */
export function shortKey(key: Cell): Cell {
  if (typeof key !== 'string') return key
  return key.length <= longestKept ? `=${key}` : `#${createHash('sha256').update(key, 'utf16le').digest('base64')}`
}
