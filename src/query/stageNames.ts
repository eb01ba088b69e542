import { Check } from 'typebox/value'
import { Label } from '../contract/schemas.ts'
import type { Param, Read } from './params.ts'
import { fault } from './text/fault.ts'
import type { ValuePiece } from './text/syntax.ts'

/** What a name must be, as the schema says it; its type does not tell the keywords of our own. */
const rule = String((Label as { explain?: string }).explain)

/** The label of a stage. */
export const label = (doc: string): Param<string> => nameParam(doc, 'a label, such as prices', (text) => (Check(Label, text) ? null : rule))

/** `name:column`; names of checkpoints may hold no colon here, columns may. */
export function checkpoint(doc: string): Param<string> {
  return nameParam(doc, '"<name>:<column>", such as "orders:updatedAt"', (text) => {
    const colon = text.indexOf(':')
    if (colon < 0 || colon === text.length - 1) return 'must be "<name>:<column>"'
    return Check(Label, text.slice(0, colon)) ? null : `the name before the colon ${rule}`
  })
}

function nameParam(doc: string, expected: string, reasonAgainst: (text: string) => string | null): Param<string> {
  const read = (piece: ValuePiece): Read<string> => {
    const reason = reasonAgainst(piece.text)
    return { value: piece.text, shown: piece.text, faults: reason === null ? [] : [fault(piece.start, piece.end, reason, { expected })] }
  }
  return { type: 'text', doc, constant: true, read }
}
