import { Check } from 'typebox/value'
import { FileName } from '../contract/schemas.ts'
import type { Param } from './params.ts'
import { fault } from './text/fault.ts'

/** What the name of a cellar file must be, as the schema says it; its type does not tell the keywords of our own. */
const rule = String((FileName as { explain?: string }).explain)

/** The name of a cellar file. */
export function fileName(doc: string): Param<string> {
  return {
    type: 'text',
    doc,
    constant: true,
    read: (piece) => ({
      value: piece.text,
      shown: piece.text,
      faults: Check(FileName, piece.text) ? [] : [fault(piece.start, piece.end, rule, { expected: 'a name of a cellar file, such as prices.csv' })],
    }),
  }
}
