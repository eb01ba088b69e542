import type { Value } from '../expressions/ast.ts'
import { asText } from '../expressions/values.ts'
import { onlyToken, type Filled } from '../filled.ts'
import { templateIn, type Param } from '../params.ts'
import type { Part } from '../text/fill.ts'
import { joinMade } from '../text/made.ts'

const rules = 'a token in it is data, as a number, inside a string, or all of it; --args hands over anything else'

/** JavaScript, made for each row: what a row puts in cannot become code. */
export function script(doc: string): Param<Filled<string>> {
  return {
    type: 'text',
    doc: `${doc}; ${rules}`,
    read: (piece) => {
      const { parts, faults } = templateIn(piece)
      return { value: fillScript(parts), shown: piece.text, faults }
    },
  }
}

/** Fills the tokens of JavaScript; one that is all of it is the value that it names, and not its code. */
export function fillScript(parts: readonly Part[]): Filled<string> {
  const token = onlyToken(parts)
  if (token !== undefined) return (_row, lookup) => JSON.stringify(lookup(token))
  return (_row, lookup) => joinMade(parts.map((part) => ('token' in part ? escaped(lookup(part.token)) : part.text)))
}

const numeric = /^-?\d+(?:\.\d+)?$/

/** An escape is the same character inside a string, and outside of one it is no syntax at all. */
function escaped(value: Value): string {
  const text = asText(value)
  return typeof value === 'number' || numeric.test(text) ? text : text.replaceAll(/\W/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
