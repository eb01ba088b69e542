import type { BoundStage } from './bind.ts'
import type { Role } from './declared.ts'
import { tokensIn } from './text/fill.ts'
import type { ValuePiece } from './text/syntax.ts'

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

/** The name that a value of a stage says, with the values of a template in it; null where it is known only when the stage runs. */
export function nameSaid({ args, flags }: BoundStage, { text }: ValuePiece, { role, name }: Role): string | null {
  const read = (role === 'argument' ? args : flags)[name]
  if (typeof read === 'string') return read
  return text.includes('$') && !tokensIn(text).next().done ? null : text
}

/** Every stored thing that determines what a stage makes. */
export function needsOf(stage: BoundStage): Need[] {
  const named = [...stage.roles].flatMap(([piece, role]): Need[] => {
    const kind = piece.kind === 'value' ? kindNamed(stage, role) : undefined
    return piece.kind === 'value' && kind ? [{ kind, name: nameSaid(stage, piece, role) ?? piece.text }] : []
  })
  return [...named, ...tokensOf(stage).flatMap((token) => needOfToken(token) ?? [])]
}

/** Whether a stage reads a stored thing whose name is known only when it runs, and so the version of which nobody can tell before. */
export function readsUnknown(stage: BoundStage): boolean {
  return [...stage.roles].some(([piece, role]) => piece.kind === 'value' && kindNamed(stage, role) !== undefined && nameSaid(stage, piece, role) === null)
}

function kindNamed({ command }: BoundStage, { param, name }: Role): NeedKind | undefined {
  if (param?.type === 'credential' || param?.type === 'store' || param?.type === 'template') return param.type
  const isFile = (command.name === 'thaw' && name === 'name') || (command.name === 'soap' && name === 'wsdl')
  return isFile ? 'cellar' : undefined
}
