import { csvValue } from '../../formats/csvWriter.ts'
import { isPlainNumber } from '../../formats/plainNumber.ts'
import type { FileFormat } from '../../outside.ts'
import type { Cell } from '../../rows.ts'

/** The form in which two cells are compared; undefined where they are compared as they are. */
export type CellForm = ((cell: Cell) => Cell) | undefined

/** How to compare with a set in this format: CSV gives back texts and numbers only, and a column of Parquet one kind of values. */
export function frozenForm(format: FileFormat): CellForm {
  if (format === 'csv') return csvForm
  return format === 'parquet' ? parquetForm : undefined
}

function csvForm(cell: Cell): Cell {
  if (cell === null || cell === '') return null
  const text = csvValue(cell)
  return isPlainNumber(text) ? Number(text) : text
}

const parquetForm = (cell: Cell): Cell => (cell === null ? null : String(cell))
