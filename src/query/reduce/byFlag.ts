import type { Written } from '../command.ts'
import { column, optional } from '../params.ts'
import { fault, type Fault } from '../text/fault.ts'

/** The flag with which a command answers for each group by itself. */
export const by = optional(column('Answers for each value of this column by itself'))

/** The columns to group by. */
export const groupColumns = (flag: string | undefined): string[] => (flag === undefined ? [] : [flag])

/** A row has no two columns of one name: a fault where a result would hide a column that is kept. */
export function hiddenColumn(result: readonly string[], kept: string | undefined, { name }: Written): Fault[] {
  if (kept === undefined || !result.includes(kept)) return []
  return [fault(name.start, name.end, `${name.text} makes a column ${kept} itself and would hide the one it is asked to keep`, { expected: `another name for ${kept}, which rename gives` })]
}
