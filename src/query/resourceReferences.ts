import type { ParsedQuery } from './plan.ts'
import { nameSaid } from './stageNeeds.ts'
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
  return stages.flatMap((stage) =>
    [...stage.roles].flatMap(([piece, role]): ResourceReference[] => {
      if (piece.kind !== 'value') return []
      const { start, end } = piece
      const kind = role.param?.type
      const isNamed = kind === 'credential' || kind === 'store' || kind === 'template'
      const name = isNamed ? nameSaid(stage, piece, role) : null
      if (isNamed && name !== null) return [{ kind, name, start, end }]
      return [...tokensIn(piece.text)].flatMap(({ token }) => tokenReference(token, start, end))
    }),
  )
}

function tokenReference(token: string, start: number, end: number): ResourceReference[] {
  const found = tokenKinds.find(([prefix]) => token.startsWith(prefix))
  return found ? [{ kind: found[1], name: token.slice(found[0].length), start, end }] : []
}
