import { cellAt } from '../columns.ts'
import { asNumber } from '../expressions/values.ts'
import { setCell, type Cell, type Row } from '../rows.ts'

/** How rows of two stages are brought together. */
export interface Join {
  readonly type: 'inner' | 'left' | 'anti'
  readonly column: string
  readonly otherColumn: string
  /** Stands before names of the other stage that are taken already. */
  readonly prefix: string
}

/** Joins rows with others; the key appears once, and null is equal to nothing. */
export function* joinRows(rows: readonly Row[], others: readonly Row[], { type, column, otherColumn, prefix }: Join): Generator<Row> {
  const find = indexRows(others, otherColumn)
  const names = type === 'anti' ? new Map<string, string>() : addedNames(rows, others, otherColumn, prefix)
  for (const row of rows) {
    const matches = find(cellAt(row, column))
    if (type === 'inner' || (type === 'left' && matches.length > 0)) for (const other of matches) yield joined(row, other, names)
    else if (matches.length === 0) yield row
  }
}

/** Finds rows by a value, in their order; numeric text equals a number, as it does in expressions. */
function indexRows(rows: readonly Row[], column: string): (cell: Cell) => readonly Row[] {
  const byCell = new Map<Cell, number[]>()
  const numericTexts = new Map<number, number[]>()
  for (const [place, row] of rows.entries()) {
    const cell = cellAt(row, column)
    if (cell === null) continue
    addTo(byCell, cell, place)
    const number = typeof cell === 'string' ? asNumber(cell) : null
    if (number !== null) addTo(numericTexts, number, place)
  }
  return (cell) => {
    if (cell === null) return []
    const same = byCell.get(cell) ?? []
    const number = asNumber(cell)
    const alike = number === null ? [] : ((typeof cell === 'number' ? numericTexts : byCell).get(number) ?? [])
    const places = alike.length === 0 ? same : [...same, ...alike].toSorted((a, b) => a - b)
    return places.map((place) => rows[place]).filter((row) => row !== undefined)
  }
}

function addTo<Key>(index: Map<Key, number[]>, key: Key, place: number): void {
  const places = index.get(key)
  if (places) places.push(place)
  else index.set(key, [place])
}

/** What the other stage's columns are called: decided for all rows at once, so that a column has one name. */
function addedNames(rows: readonly Row[], others: readonly Row[], otherColumn: string, prefix: string): Map<string, string> {
  const taken = columnsOf(rows)
  const names = new Map<string, string>()
  for (const name of columnsOf(others)) {
    if (name === otherColumn) continue
    let free = name
    while (taken.has(free)) free = `${prefix}${free}`
    taken.add(free)
    names.set(name, free)
  }
  return names
}

function columnsOf(rows: readonly Row[]): Set<string> {
  const names = new Set<string>()
  for (const row of rows) for (const name of Object.keys(row)) names.add(name)
  return names
}

function joined(row: Row, other: Row, names: ReadonlyMap<string, string>): Row {
  const made = { ...row }
  for (const name of Object.keys(other)) {
    const added = names.get(name)
    if (added !== undefined) setCell(made, added, cellAt(other, name))
  }
  return made
}
