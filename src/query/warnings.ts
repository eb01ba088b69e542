import type { StageContext } from './command.ts'

/** Warnings that one command gives about rows; more would only repeat themselves. */
const maxWarnings = 10

/** Warns of the first rows that something is wrong with, and then once that there are more. */
export function warnOfSome(context: Pick<StageContext, 'warn'>): (message: string) => void {
  let count = 0
  return (message) => {
    count += 1
    if (count <= maxWarnings) context.warn(message)
    else if (count === maxWarnings + 1) context.warn('further warnings of this kind are left out')
  }
}
