import type { Batch, Cell } from '../rows.ts'
import { isPlainNumber } from './plainNumber.ts'

const lineEnd = '\r\n'
const needsQuotes = /[",\r\n]/
/** What makes a spreadsheet take a cell for a formula. */
const runs = /^[=+\-@\t\r]/

/** Rows as CSV (RFC 4180), each with the same columns in the same order; without columns there is nothing to write. */
export function csvLines(columns: readonly string[], batch: Batch): string {
  if (columns.length === 0) return ''
  return batch.map((row) => line(columns.map((name) => csvCell(Object.hasOwn(row, name) ? row[name] : null)))).join('')
}

/** The first line of CSV, which names the columns. */
export function csvHeader(columns: readonly string[]): string {
  return columns.length === 0 ? '' : line(columns.map((name) => csvCell(name)))
}

/** A line of one empty cell would be blank, and passed over by whoever reads it. */
const line = (cells: readonly string[]): string => `${cells.length === 1 && cells[0] === '' ? '""' : cells.join(',')}${lineEnd}`

/** What a cell holds when it is read again, before its quotes are put around it. */
export function csvValue(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value)
  return runs.test(value) && !isPlainNumber(value) ? `'${value}` : value
}

/** One cell; text that a spreadsheet would run begins with an apostrophe instead. */
export function csvCell(value: Cell | undefined): string {
  if (value === null || value === undefined) return ''
  const text = csvValue(value)
  return typeof value === 'string' && needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
