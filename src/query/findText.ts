import { asText } from './expressions/values.ts'
import { boolean, otherwise } from './params.ts'
import type { Cell } from './rows.ts'

/** The flag of commands that look for a text. */
export const ignoreCase = otherwise(boolean('Takes small and capital letters for the same'), false)

/** Tells whether one of some values holds a text; null holds nothing. */
export function findText(ignoreCase: boolean): (cells: readonly Cell[], text: string) => boolean {
  if (!ignoreCase) return (cells, text) => cells.some((cell) => cell !== null && asText(cell).includes(text))
  return (cells, text) => {
    const wanted = text.toLowerCase()
    return cells.some((cell) => cell !== null && asText(cell).toLowerCase().includes(wanted))
  }
}
