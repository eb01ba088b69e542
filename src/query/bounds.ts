/** A number that is known within limits before anything runs; no upper limit is null. */
export interface Bounds {
  readonly least: number
  readonly most: number | null
}

/** Nothing is known. */
export const anyNumber: Bounds = { least: 0, most: null }

/** A number that is known. */
export const exactly = (number: number): Bounds => ({ least: safe(number), most: upper(number) })

/** Any number up to a limit. */
export const upTo = (most: number | null): Bounds => ({ least: 0, most: upper(most) })

/** The same, cut at a limit, as `limit` does with rows. */
export function cutAt({ least, most }: Bounds, limit: number): Bounds {
  return { least: Math.min(least, limit), most: most === null ? limit : Math.min(most, limit) }
}

/** As many groups as there can be of so many rows: at least one as soon as there is a row. */
export const groupsOf = ({ least, most }: Bounds): Bounds => ({ least: Math.min(1, least), most })

/** Two numbers together. */
export function sum(a: Bounds, b: Bounds): Bounds {
  return { least: safe(a.least + b.least), most: a.most === null || b.most === null ? null : upper(a.most + b.most) }
}

/** One number for each of another; none of something unknown is none. */
export function product(a: Bounds, b: Bounds): Bounds {
  if (a.most === 0 || b.most === 0) return exactly(0)
  return { least: safe(a.least * b.least), most: a.most === null || b.most === null ? null : upper(a.most * b.most) }
}

/** Whether it is one number and no other. */
export const isKnown = ({ least, most }: Bounds): boolean => least === most

const safe = (number: number): number => Math.min(number, Number.MAX_SAFE_INTEGER)

/** What cannot be counted exactly any more is as good as unlimited. */
const upper = (number: number | null): number | null => (number === null || number > Number.MAX_SAFE_INTEGER ? null : number)
