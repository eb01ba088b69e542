import type { AnyCommand } from './command.ts'
import { commonFlags } from './commonFlags.ts'
import { commands, findCommand } from './commands/index.ts'
import { declaredBy } from './declared.ts'
import { parseQuery, type ParsedQuery } from './plan.ts'
import type { Param } from './params.ts'
import { visitPieces } from './roles.ts'
import type { Fault } from './text/fault.ts'
import { tokensIn } from './text/fill.ts'
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
  const described = new Map<Piece, Described>()
  for (const { name } of query.syntax.stages) described.set(name, describeCommand(findCommand(name.text)))
  for (const stage of query.stages) for (const [piece, { role, param }] of stage.roles) described.set(piece, { kind: role, documentation: param?.doc })
  const pieces: DecoratedPiece[] = []
  for (const piece of query.syntax.pieces) {
    pieces.push(decorated(described.get(piece) ?? { kind: piece.kind === 'value' ? 'argument' : piece.kind }, piece))
    if (piece.kind === 'value' && piece.text.includes('$')) addTokens(piece, pieces)
  }
  addErrors(pieces, query.faults)
  return { pieces, query }
}

/** What a piece is, without its place. */
interface Described {
  readonly kind: PieceKind
  readonly documentation?: string | undefined
}

const unknownCommand: Described = { kind: 'command' }
const describedCommands: ReadonlyMap<AnyCommand, Described> = new Map(
  commands.map((command) => [command, { kind: 'command', documentation: documentationOf(command) }]),
)

const describeCommand = (command: AnyCommand | undefined): Described => (command && describedCommands.get(command)) ?? unknownCommand

/** A command's purpose and how it is written. */
function documentationOf({ name, summary, args }: AnyCommand): string {
  const usage = Object.entries(args).map(([arg, param]) => (param.optional || (param.fallback && !param.rest) ? `[${arg}]` : `<${arg}>`) + (param.rest ? ' …' : ''))
  return `${[name, ...usage].join(' ')} — ${summary}`
}

const decorated = ({ kind, documentation }: Described, { start, end }: Pick<Piece, 'start' | 'end'>): DecoratedPiece =>
  documentation === undefined ? { kind, start, end, errors: noErrors } : { kind, start, end, documentation, errors: noErrors }

const noErrors: readonly Fault[] = []

/** A value's tokens are pieces of their own, inside it. */
function addTokens(piece: ValuePiece, pieces: DecoratedPiece[]): void {
  for (const { token, start, end } of tokensIn(piece.text)) {
    pieces.push(decorated({ kind: 'token', documentation: `Filled in when the command runs: ${token}` }, spanIn(piece, start, end)))
  }
}

/** Each fault goes to the last piece that begins at or before it. */
function addErrors(pieces: DecoratedPiece[], faults: readonly Fault[]): void {
  let at = 0
  for (const fault of faults) {
    while (at + 1 < pieces.length && (pieces[at + 1]?.start ?? Infinity) <= fault.start) at += 1
    const piece = pieces[at]
    if (piece) pieces[at] = { ...piece, errors: [...piece.errors, fault] }
  }
}

/** What could stand at the cursor: commands at the start of a stage, else flags and the words of a value, those first that begin like what is written. */
export function completeAt(query: ParsedQuery, cursor: number): Candidate[] {
  const written = query.syntax.pieces.filter((piece) => piece.start < cursor && piece.kind !== 'comment')
  const current = written.findLast((piece) => piece.end >= cursor)
  const stage = query.syntax.stages.findLast(({ start }) => start < cursor)
  const afterSeparator = written.at(-1)?.kind === 'separator' || written.length === 0
  const typed = current && current.kind !== 'separator' ? query.text.slice(current.start, cursor) : ''
  if (!stage || afterSeparator || stage.name === current) return matching(commandCandidates(), typed)
  const command = findCommand(stage.name.text)
  if (!command) return []
  const awaited = current ?? (written.at(-1)?.kind === 'flag' ? written.at(-1) : undefined)
  const words = awaited ? wordsAt(query, awaited) : wordsOfNext(command, stage.rest.filter(({ start }) => start < cursor))
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

function wordsAt(query: ParsedQuery, piece: Piece): Candidate[] {
  const stage = query.stages.find(({ start, end }) => piece.start > start && piece.end <= end)
  return wordsOf(stage && [...stage.roles].find(([written]) => written === piece)?.[1].param)
}

/** The words of the argument that comes behind what is written. */
function wordsOfNext(command: AnyCommand, written: readonly (ValuePiece | FlagPiece)[]): Candidate[] {
  const { args, restAt } = declaredBy(command)
  let given = 0
  visitPieces(declaredBy(command), written, { argument: () => void (given += 1), flag: () => undefined })
  return wordsOf(args[Math.min(given, restAt)]?.param)
}

const wordsOf = (param: Param | undefined): Candidate[] =>
  param?.words ? param.words.map((word) => ({ kind: 'value', text: word, documentation: param.doc })) : []

function matching(candidates: readonly Candidate[], typed: string): Candidate[] {
  const start = typed.toLowerCase()
  return candidates.filter(({ text }) => text.toLowerCase().startsWith(start))
}
