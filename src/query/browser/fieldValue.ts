import { fillText, type Filled } from '../filled.ts'
import { templateIn, type Param } from '../params.ts'
import { fault } from '../text/fault.ts'
import type { Part } from '../text/fill.ts'

/** The selector of a form's field and what the field is filled with. */
export type FieldValue = Filled<[selector: string, value: string]>

const expected = 'selector=value, such as #user=ada'

/** A selector and a value in one text, split at the last = outside brackets and quotes; data in either part cannot move the split. */
export function fieldValue(doc: string): Param<FieldValue> {
  return {
    type: 'text',
    doc,
    read: (piece) => {
      const { parts, faults } = templateIn(piece)
      const place = lastEquals(parts)
      const hasSelector = place !== null && (place.part > 0 || place.at > 0)
      const missing = hasSelector ? [] : [fault(piece.start, piece.end, 'must be a selector, = and a value', { expected })]
      return { value: fillField(parts, place), shown: piece.text, faults: [...faults, ...missing] }
    },
  }
}

function fillField(parts: readonly Part[], place: Place | null): FieldValue {
  return (row, lookup) => {
    const [selector, value] = splitAt(parts, place)
    return [fillText(selector)(row, lookup), fillText(value)(row, lookup)]
  }
}

interface Place {
  readonly part: number
  readonly at: number
}

function lastEquals(parts: readonly Part[]): Place | null {
  let [found, depth, quote] = [null as Place | null, 0, '']
  for (const [part, one] of parts.entries()) {
    const text = 'text' in one ? one.text : ''
    for (let at = 0; at < text.length; at += 1) {
      const sign = text.charAt(at)
      if (quote !== '') quote = sign === quote ? '' : quote
      else if ((sign === '"' || sign === "'") && depth > 0) quote = sign
      else if (sign === '[' || sign === '(') depth += 1
      else if (sign === ']' || sign === ')') depth = Math.max(0, depth - 1)
      else if (sign === '=' && depth === 0) found = { part, at }
    }
  }
  return found
}

function splitAt(parts: readonly Part[], place: Place | null): [Part[], Part[]] {
  if (!place) return [[], []]
  const middle = parts[place.part]
  const text = middle && 'text' in middle ? middle.text : ''
  const piece = (some: string): Part[] => (some === '' ? [] : [{ text: some }])
  return [
    [...parts.slice(0, place.part), ...piece(text.slice(0, place.at))],
    [...piece(text.slice(place.at + 1)), ...parts.slice(place.part + 1)],
  ]
}
