import type { Param, Read } from '../params.ts'
import { fault } from '../text/fault.ts'
import type { ValuePiece } from '../text/syntax.ts'

const expected = 'statuses from 400 to 599, such as 404 or "404, 410"'

/** Statuses between white space or commas, also in the brackets of a JSON list; a flag that may be given several times. */
export function statusList(doc: string): Param<number[]> {
  const read = (piece: ValuePiece): Read<number[]> => {
    const words = piece.text.replace(/^\s*\[(.*)\]\s*$/s, '$1').match(/[^\s,]+/g) ?? []
    const isRight = words.length > 0 && words.every((word) => /^[45]\d\d$/.test(word))
    if (!isRight) return { value: [], shown: piece.text, faults: [fault(piece.start, piece.end, `must be ${expected}`, { expected })] }
    return { value: words.map(Number), shown: words.length === 1 ? Number(words[0]) : piece.text, faults: [] }
  }
  return { type: 'statuses', doc, constant: true, repeatable: true, fallback: { value: [] }, read }
}
