import type { Page } from '../contract/schemas.ts'

/** One page of a list, as every list operation answers it. */
export interface Paged<Item> {
  readonly items: Item[]
  readonly total: number
  readonly offset: number
  readonly limit: number
}

interface Source<Row> {
  readonly rows: (window: { skip: number; take: number }) => PromiseLike<Row[]>
  readonly count: () => PromiseLike<number>
}

/** Prisma cuts a larger `skip` to 32 bits and would begin at the first row again; no table is that long. */
const maxSkip = 2 ** 31 - 1

/** Reads one page and the count beside it, in one go. */
export async function readPage<Row, Item>(page: Page, source: Source<Row>, present: (row: Row) => Item): Promise<Paged<Item>> {
  const { offset = 0, limit = 100 } = page
  const [rows, total] = await Promise.all([offset > maxSkip ? [] : source.rows({ skip: offset, take: limit }), source.count()])
  return { items: rows.map(present), total, offset, limit }
}

/** One page of a list that is at hand as a whole. */
export function pageOf<Item>(page: Page, all: readonly Item[]): Paged<Item> {
  const { offset = 0, limit = 100 } = page
  return { items: all.slice(offset, offset + limit), total: all.length, offset, limit }
}
