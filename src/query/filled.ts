import type { Value } from './expressions/ast.ts'
import type { Lookup } from './expressions/compile.ts'
import { asText } from './expressions/values.ts'
import type { Cell, Row } from './rows.ts'
import type { Part } from './text/fill.ts'
import { joinMade } from './text/made.ts'

/** A value that may hold tokens, and so is made anew for each row. */
export type Filled<Result> = (row: Row, lookup: Lookup) => Result

/** A value of an expression as a cell: a list becomes text. */
export const cellOf = (found: Value): Cell => (typeof found === 'object' && found !== null ? asText(found) : found)

/** The token that a value is as a whole, if it is one: it keeps the type of what it names. */
export function onlyToken(parts: readonly Part[]): string | undefined {
  const [only] = parts
  return parts.length === 1 && only && 'token' in only ? only.token : undefined
}

const empty = { text: '' }

/** The same for each row; a function of its own, so that nothing else is kept with the value. */
const always = <Result>(value: Result): Filled<Result> => () => value

/** Makes a cell for each row; `constant` is the value where nothing in it is to be filled. */
export function fillCell(parts: readonly Part[], constant: Cell): Filled<Cell> {
  const token = onlyToken(parts)
  if (token !== undefined) return (_row, lookup) => cellOf(lookup(token))
  return typeof constant === 'string' ? fillText(parts) : always(constant)
}

/** Makes a text for each row. */
export function fillText(parts: readonly Part[]): Filled<string> {
  const [only = empty] = parts
  if (parts.length <= 1 && 'text' in only) return always(only.text)
  return (_row, lookup) => joinMade(parts.map((part) => ('token' in part ? asText(lookup(part.token)) : part.text)))
}
