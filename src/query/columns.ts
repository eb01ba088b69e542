import { setCell, type Cell, type Row } from './rows.ts'

/** Finds the columns of a row that a list of names means; `prefix.*` means all below a prefix. */
export type PickColumns = (row: Row) => string[]

/** Reads a list of column names once, for use on many rows. */
export function pickColumns(names: readonly string[]): PickColumns {
  if (names.every((name) => !isPattern(name))) return (row) => names.filter((name) => Object.hasOwn(row, name))
  return (row) => [...new Set(names.flatMap((name) => (isPattern(name) ? below(row, name) : Object.hasOwn(row, name) ? [name] : [])))]
}

/** Whether a name means all columns below a prefix, or all columns. */
export const isPattern = (name: string): boolean => name === '*' || name.endsWith('.*')

function below(row: Row, pattern: string): string[] {
  const prefix = pattern.slice(0, -1)
  return Object.keys(row).filter((name) => name.startsWith(prefix))
}

/** Makes rows of only these columns, in this order. */
export function keepColumns(names: readonly string[]): (row: Row) => Row {
  const pick = pickColumns(names)
  return (row) => {
    const kept: Row = {}
    for (const name of pick(row)) setCell(kept, name, cellAt(row, name))
    return kept
  }
}

/** Reads the cells that a name means, so that `prefix.*` is one list of values; missing ones are left out. */
export function cellsAt(name: string): (row: Row) => Cell[] {
  if (!isPattern(name)) return (row) => (Object.hasOwn(row, name) ? [row[name] ?? null] : [])
  return (row) => below(row, name).map((column) => cellAt(row, column))
}

/** A column's value; a missing one is null. */
export function cellAt(row: Row, name: string): Cell {
  return Object.hasOwn(row, name) ? (row[name] ?? null) : null
}

/** A copy of the row with these columns set. */
export function withCells(row: Row, cells: Readonly<Record<string, Cell>>): Row {
  const copy = { ...row }
  for (const [name, cell] of Object.entries(cells)) setCell(copy, name, cell)
  return copy
}

/** The row without what stands below a prefix, where a command makes that anew: what is left of another run would be taken for its own. */
export function withoutBelow(row: Row, prefix: string): Row {
  const names = Object.keys(row)
  if (!names.some((name) => name.startsWith(prefix))) return row
  const others: Row = {}
  for (const name of names) if (!name.startsWith(prefix)) setCell(others, name, cellAt(row, name))
  return others
}

/** A copy of the row in which other columns stand at the place of one; the new ones win over columns of the same name. */
export function replaceColumn(row: Row, name: string, cells: Row): Row {
  const copy: Row = {}
  for (const key of Object.keys(row)) {
    if (key === name) for (const made of Object.keys(cells)) setCell(copy, made, cellAt(cells, made))
    else if (!Object.hasOwn(cells, key)) setCell(copy, key, cellAt(row, key))
  }
  return copy
}

/** Changes the texts in some columns; other kinds of values stay as they are. */
export function changeTexts(columns: readonly string[], change: (text: string) => string): (row: Row) => Row {
  const pick = pickColumns(columns)
  return (row) => {
    const copy = { ...row }
    for (const name of pick(row)) {
      const cell = cellAt(row, name)
      if (typeof cell === 'string') setCell(copy, name, change(cell))
    }
    return copy
  }
}
