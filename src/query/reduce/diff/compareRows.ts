import { cellAt } from '../../columns.ts'
import { setCell, type Cell, type Row } from '../../rows.ts'
import type { CellForm } from './frozenForm.ts'

const mark = '_diff'
const isMark = (name: string): boolean => name === mark || name.startsWith(`${mark}.`)

/** The row without what an earlier comparison wrote into it. */
export function withoutMarks(row: Row): Row {
  const names = Object.keys(row)
  if (!names.some(isMark)) return row
  const clean: Row = {}
  for (const name of names) if (!isMark(name)) setCell(clean, name, cellAt(row, name))
  return clean
}

/** The row with its cells in a form. */
export function formed(row: Row, form: NonNullable<CellForm>): Row {
  const made: Row = {}
  for (const name of Object.keys(row)) setCell(made, name, form(cellAt(row, name)))
  return made
}

/** The row with what became of it. */
export function marked(row: Row, what: 'added' | 'removed' | 'unchanged'): Row {
  return { ...row, [mark]: what }
}

/** The new row with what it was before; undefined where nothing has changed. A missing column is null. */
export function changedRow(before: Row, row: Row, form: CellForm): Row | undefined {
  const isSame = (one: Cell, other: Cell): boolean => one === other || (form !== undefined && form(one) === form(other))
  const names = Object.keys(row).filter((name) => !isSame(cellAt(row, name), cellAt(before, name)))
  for (const name of Object.keys(before)) if (!Object.hasOwn(row, name) && !isSame(cellAt(before, name), null)) names.push(name)
  if (names.length === 0) return undefined
  const changed: Row = { ...row, [mark]: 'changed' }
  for (const name of names) changed[`${mark}.before.${name}`] = cellAt(before, name)
  return changed
}
