import type { Batch, Cell, Row } from '../rows.ts'

/** One row of so many is looked at: the others of a batch are much like it. */
const sampleStep = 8
const rowBytes = 32
const cellBytes = 8

/** About how many bytes of memory a batch takes. */
export function batchBytes(batch: Batch): number {
  let bytes = 0
  for (let at = 0; at < batch.length; at += sampleStep) bytes += bytesOfRow(batch[at] ?? {})
  return batch.length === 0 ? 0 : (bytes * batch.length) / Math.ceil(batch.length / sampleStep)
}

/** About how many bytes of memory a row takes; the names of its columns are shared with others. */
export function bytesOfRow(row: Row): number {
  let bytes = rowBytes
  // Unlike lists of keys, this makes no garbage.
  for (const name in row) bytes += cellBytes + bytesOfCell(row[name] ?? null)
  return bytes
}

/** About how many bytes of memory a value takes. */
export function bytesOfCell(cell: Cell): number {
  if (typeof cell === 'string') return 24 + cell.length
  return typeof cell === 'number' ? 16 : 0
}
