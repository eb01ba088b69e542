import type { ParsedQuery } from './plan.ts'
import { tokensIn } from './text/fill.ts'

export type ResourceKind = 'credential' | 'prompt' | 'store' | 'template'

/** A stored thing that a query names, and where. */
export interface ResourceReference {
  readonly kind: ResourceKind
  readonly name: string
  readonly start: number
  readonly end: number
}

const tokenKinds = [
  ['CREDENTIALS.', 'credential'],
  ['PROMPTS.', 'prompt'],
] as const

/** Every stored thing that a query needs before it may run; an unset checkpoint is empty, and so is not among them. */
export function resourceReferences({ stages }: ParsedQuery): ResourceReference[] {
  return stages.flatMap(({ roles }) =>
    [...roles].flatMap(([piece, { param }]): ResourceReference[] => {
      if (piece.kind !== 'value') return []
      const { start, end } = piece
      const tokens = [...tokensIn(piece.text)]
      const kind = param?.type
      const isName = (kind === 'credential' || kind === 'store' || kind === 'template') && tokens.length === 0
      return isName ? [{ kind, name: piece.text, start, end }] : tokens.flatMap(({ token }) => tokenReference(token, start, end))
    }),
  )
}

function tokenReference(token: string, start: number, end: number): ResourceReference[] {
  const found = tokenKinds.find(([prefix]) => token.startsWith(prefix))
  return found ? [{ kind: found[1], name: token.slice(found[0].length), start, end }] : []
}
