import type { Row } from '../rows.ts'
import type { Placed } from './partitions.ts'

/** How rows come to work that may need the disk: as they are at first, and with their places once they have been there. */
export interface Form<Item> {
  rowOf(item: Item): Row
  placed(item: Item): Placed
  restored(placed: Placed): Item
}

/** Rows as they come; a place is given when it is asked for. */
export function plainRows(): Form<Row> {
  let next = 0
  return { rowOf: (row) => row, placed: (row) => [next++, row], restored: ([, row]) => row }
}

/** Rows that have been on disk. */
export const placedRows: Form<Placed> = { rowOf: ([, row]) => row, placed: (item) => item, restored: (item) => item }
