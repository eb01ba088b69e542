import type { BoundStage } from './bind.ts'
import { tokensIn } from './text/fill.ts'

/** Kinds of stored things that a stage can read. */
export type NeedKind = 'credential' | 'prompt' | 'checkpoint' | 'store' | 'template' | 'cellar'

/** A stored thing that a stage reads. */
export interface Need {
  readonly kind: NeedKind
  readonly name: string
}

const tokenKinds: readonly (readonly [string, NeedKind])[] = [
  ['CREDENTIALS.', 'credential'],
  ['PROMPTS.', 'prompt'],
  ['CHECKPOINTS.', 'checkpoint'],
]

/** The tokens in the values of a stage. */
export function tokensOf({ roles }: BoundStage): string[] {
  const tokens = new Set<string>()
  for (const [piece] of roles) {
    if (piece.kind !== 'value' || !piece.text.includes('$')) continue
    for (const { token } of tokensIn(piece.text)) tokens.add(token)
  }
  return [...tokens]
}

/** The stored thing that a token names. */
export function needOfToken(token: string): Need | undefined {
  const found = tokenKinds.find(([prefix]) => token.startsWith(prefix))
  return found && { kind: found[1], name: token.slice(found[0].length) }
}

/** Every stored thing that determines what a stage makes. */
export function needsOf(stage: BoundStage): Need[] {
  const named = [...stage.roles].flatMap(([piece, { param, name }]): Need[] => {
    if (piece.kind !== 'value') return []
    if (param?.type === 'credential' || param?.type === 'store' || param?.type === 'template') return [{ kind: param.type, name: piece.text }]
    const isFile = (stage.command.name === 'thaw' && name === 'name') || (stage.command.name === 'soap' && name === 'wsdl')
    return isFile ? [{ kind: 'cellar', name: piece.text }] : []
  })
  return [...named, ...tokensOf(stage).flatMap((token) => needOfToken(token) ?? [])]
}
