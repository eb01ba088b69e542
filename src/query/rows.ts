/** One value of a row. */
export type Cell = string | number | boolean | null

/** A flat record: column name to value. */
export type Row = Record<string, Cell>

/** Rows that travel together. */
export type Batch = Row[]

/** Deepest nesting of data that becomes a row. */
export const maxDepth = 64
/** Most columns of one row, and of all rows of a table together. */
export const maxColumns = 100_000
/** Most characters of those columns' names: nested lists under long keys would otherwise grow without bound. */
export const maxNameChars = 8 * 2 ** 20

/** Why data cannot become a row; the message goes on after "it". */
export class UnfitRow extends Error {
  override readonly name = 'UnfitRow'
}

/** Makes a row of any JSON value: keys are joined by `.`, list items by their number, a bare value is the column `value`. */
export function flatten(value: unknown): Row {
  if (typeof value !== 'object' || value === null) return { value: cellOf(value) }
  if (isFlat(value)) return value
  const row: Row = {}
  spread(value, '', 1, { row, columns: 0, nameChars: 0 })
  return row
}

interface Spreading {
  readonly row: Row
  columns: number
  nameChars: number
}

/** Most data is flat already, and is then taken as it is. */
function isFlat(value: object): value is Row {
  if (Array.isArray(value)) return false
  const fields = value as Readonly<Record<string, unknown>>
  // Unlike lists of keys or entries, this makes no garbage; JSON inherits nothing that it could meet.
  for (const key in fields) {
    const cell = fields[key]
    if (typeof cell === 'object' && cell !== null) return false
    if (typeof cell === 'number') cellOf(cell)
  }
  return true
}

function spread(value: object, prefix: string, depth: number, state: Spreading): void {
  if (depth > maxDepth) throw new UnfitRow(`is nested deeper than ${maxDepth} levels`)
  const fields = value as Readonly<Record<string, unknown>>
  for (const key in fields) {
    const item = fields[key]
    const name = prefix + key
    if (typeof item === 'object' && item !== null) spread(item, `${name}.`, depth + 1, state)
    else put(state, name, cellOf(item))
  }
}

function put(state: Spreading, name: string, cell: Cell): void {
  state.columns += 1
  state.nameChars += name.length
  if (state.columns > maxColumns) throw new UnfitRow(`has more than ${maxColumns.toLocaleString('en')} columns`)
  if (state.nameChars > maxNameChars) throw new UnfitRow(`has column names of more than ${maxNameChars.toLocaleString('en')} characters`)
  setCell(state.row, name, cell)
}

/** Sets a column, also one of the name that objects keep for their prototype. */
export function setCell(row: Row, name: string, cell: Cell): void {
  if (name === '__proto__') Object.defineProperty(row, name, { value: cell, writable: true, enumerable: true, configurable: true })
  else row[name] = cell
}

function cellOf(value: unknown): Cell {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new UnfitRow('holds a number beyond the range of a double')
  return value as Cell // JSON has no further kinds of scalars
}
