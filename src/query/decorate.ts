import type { AnyCommand } from './command.ts'
import { commonFlags } from './commonFlags.ts'
import { commands, findCommand } from './commands/index.ts'
import { parseQuery, type ParsedQuery } from './plan.ts'
import type { Param } from './params.ts'
import type { Fault } from './text/fault.ts'
import { readTemplate } from './text/fill.ts'
import type { Piece } from './text/lexer.ts'
import { spanIn, type FlagPiece, type ValuePiece } from './text/syntax.ts'

export type PieceKind = 'command' | 'argument' | 'flag' | 'value' | 'token' | 'comment' | 'separator'

/** One piece of a text as an editor colours it. */
export interface DecoratedPiece {
  readonly kind: PieceKind
  readonly start: number
  readonly end: number
  readonly documentation?: string
  readonly errors: readonly Fault[]
}

/** What could stand at a place, with its documentation. */
export interface Candidate {
  readonly kind: PieceKind
  readonly text: string
  readonly documentation?: string
}

/** Says of each piece of a text what it is; a half-written text is decorated as far as it goes. */
export function decorateQuery(text: string): { pieces: DecoratedPiece[]; query: ParsedQuery } {
  const query = parseQuery(text)
  const roles = new Map<Piece, Pick<DecoratedPiece, 'kind' | 'documentation'>>()
  for (const { name } of query.syntax.stages) roles.set(name, describeCommand(findCommand(name.text)))
  for (const stage of query.stages) for (const [piece, { role, param }] of stage.roles) roles.set(piece, describe(role, param))
  const pieces = query.syntax.pieces.flatMap((piece) => decoratePiece(piece, roles.get(piece)))
  return { pieces: withErrors(pieces, query.faults), query }
}

const describeCommand = (command: AnyCommand | undefined): Pick<DecoratedPiece, 'kind' | 'documentation'> => ({
  kind: 'command',
  ...(command ? { documentation: documentationOf(command) } : {}),
})

const describe = (kind: PieceKind, param: Param | undefined): Pick<DecoratedPiece, 'kind' | 'documentation'> => ({ kind, ...(param ? { documentation: param.doc } : {}) })

/** A command's purpose and how it is written. */
function documentationOf({ name, summary, args }: AnyCommand): string {
  const usage = Object.entries(args).map(([arg, param]) => (param.optional || (param.fallback && !param.rest) ? `[${arg}]` : `<${arg}>`) + (param.rest ? ' …' : ''))
  return `${[name, ...usage].join(' ')} — ${summary}`
}

/** A value's tokens are pieces of their own, inside it. */
function decoratePiece(piece: Piece, role: Pick<DecoratedPiece, 'kind' | 'documentation'> | undefined): Omit<DecoratedPiece, 'errors'>[] {
  if (piece.kind === 'comment' || piece.kind === 'separator') return [{ kind: piece.kind, start: piece.start, end: piece.end }]
  const own = { ...(role ?? { kind: piece.kind === 'flag' ? ('flag' as const) : ('argument' as const) }), start: piece.start, end: piece.end }
  return piece.kind === 'value' ? [own, ...tokensOf(piece)] : [own]
}

function tokensOf(piece: ValuePiece): Omit<DecoratedPiece, 'errors'>[] {
  return readTemplate(piece.text).parts.flatMap((part) =>
    'token' in part ? [{ kind: 'token' as const, ...spanIn(piece, part.start, part.end), documentation: `Filled in when the command runs: ${part.token}` }] : [],
  )
}

/** Each fault goes to the last piece that begins at or before it. */
function withErrors(pieces: readonly Omit<DecoratedPiece, 'errors'>[], faults: readonly Fault[]): DecoratedPiece[] {
  const errors = pieces.map((): Fault[] => [])
  let at = 0
  for (const fault of faults) {
    while (at + 1 < pieces.length && (pieces[at + 1]?.start ?? Infinity) <= fault.start) at += 1
    errors[at]?.push(fault)
  }
  return pieces.map((piece, index) => ({ ...piece, errors: errors[index] ?? [] }))
}

/** What could stand at the cursor: commands at the start of a stage, else flags and the words of a value, those first that begin like what is written. */
export function completeAt(query: ParsedQuery, cursor: number): Candidate[] {
  const written = query.syntax.pieces.filter((piece) => piece.start < cursor && piece.kind !== 'comment')
  const current = written.findLast((piece) => piece.end >= cursor)
  const stage = query.syntax.stages.findLast(({ start }) => start < cursor)
  const afterSeparator = written.at(-1)?.kind === 'separator' || written.length === 0
  if (!stage || afterSeparator || stage.name === current) return matching(commandCandidates(), current && query.text.slice(current.start, cursor))
  const command = findCommand(stage.name.text)
  if (!command) return []
  const before = current ?? written.at(-1)
  const words = wordsAt(query, before)
  const typed = current ? query.text.slice(current.start, cursor) : ''
  return matching([...words, ...flagCandidates(command, stage.rest)], typed)
}

const commandCandidates = (): Candidate[] => commands.map((command) => ({ kind: 'command', text: command.name, documentation: documentationOf(command) }))

/** Flags that are not given yet, or may be given again. */
function flagCandidates(command: AnyCommand, rest: readonly (ValuePiece | FlagPiece)[]): Candidate[] {
  const given = new Set(rest.flatMap((piece) => (piece.kind === 'flag' ? [piece.name] : [])))
  return Object.entries({ ...command.flags, ...commonFlags } as Readonly<Record<string, Param>>)
    .filter(([name, param]) => param.repeatable || !given.has(name))
    .map(([name, param]) => ({ kind: 'flag' as const, text: `--${name}`, documentation: param.doc }))
}

function wordsAt(query: ParsedQuery, piece: Piece | undefined): Candidate[] {
  const role = query.stages.map(({ roles }) => (piece?.kind === 'value' || piece?.kind === 'flag' ? roles.get(piece) : undefined)).find(Boolean)
  return (role?.param?.words ?? []).map((word) => ({ kind: 'value', text: word, ...(role?.param ? { documentation: role.param.doc } : {}) }))
}

function matching(candidates: readonly Candidate[], typed: string | undefined): Candidate[] {
  const start = (typed ?? '').toLowerCase()
  return candidates.filter(({ text }) => text.toLowerCase().startsWith(start))
}
