import { fault, tell, type Fault } from './fault.ts'
import { lex, type Piece } from './lexer.ts'
import { countUpTo } from './place.ts'

export type ValuePiece = Extract<Piece, { kind: 'value' }>
export type FlagPiece = Extract<Piece, { kind: 'flag' }>
/** A piece that says something to a command. */
export type WrittenPiece = ValuePiece | FlagPiece

/** A stage as it is written: the command's name, then values and flags in order; what belongs to what depends on the command. */
export interface WrittenStage {
  readonly start: number
  readonly end: number
  readonly name: ValuePiece
  readonly rest: readonly WrittenPiece[]
}

/** A query cut into stages; comments and separators are kept in `pieces`, for whoever colours the text. */
export interface Syntax {
  readonly pieces: readonly Piece[]
  readonly stages: readonly WrittenStage[]
  readonly faults: readonly Fault[]
}

/** Reads the shape of a query: which stages it has, and the pieces of each. */
export function readSyntax(text: string): Syntax {
  const { pieces, faults } = lex(text)
  const broken: Fault[] = []
  const stages: WrittenStage[] = []
  let begin = 0
  for (let index = 0; index <= pieces.length; index += 1) {
    const piece = pieces[index]
    if (piece && piece.kind !== 'separator') continue
    const stage = readStage(pieces, begin, index, broken)
    if (stage) stages.push(stage)
    begin = index + 1
  }
  return { pieces, stages, faults: [...faults, ...broken] }
}

const wholeText = { start: 0, end: 1 }

/** A stage begins with the name of its command; an empty one is a fault at the separator beside it. */
function readStage(pieces: readonly Piece[], begin: number, end: number, faults: Fault[]): WrittenStage | null {
  const written = withoutComments(pieces.slice(begin, end))
  const [name] = written
  if (!name) {
    const separator = pieces[begin === 0 ? end : begin - 1] ?? wholeText
    tell(faults, () => fault(separator.start, separator.end, 'a stage is empty', { expected: 'a command' }))
    return null
  }
  if (name.kind === 'flag' || name.quoting !== 'bare') {
    tell(faults, () => fault(name.start, name.end, 'a stage must begin with a command', { expected: 'a command' }))
    return null
  }
  return { start: name.start, end: written.at(-1)?.end ?? name.end, name, rest: written.length > 1 ? written.slice(1) : nothing }
}

const nothing: readonly WrittenPiece[] = []

const isWritten = (piece: Piece): piece is WrittenPiece => piece.kind === 'value' || piece.kind === 'flag'

function withoutComments(pieces: readonly Piece[]): readonly WrittenPiece[] {
  return pieces.every(isWritten) ? pieces : pieces.filter(isWritten)
}

/** Where the characters of a value stand in the query, from one of its offsets to another; escapes and fences move them. */
export function spanIn({ inside, escaped }: Pick<ValuePiece, 'inside' | 'escaped'>, start: number, end: number): { start: number; end: number } {
  const offset = (index: number): number => inside + index + countUpTo(escaped, index)
  return { start: offset(start), end: end > start ? offset(end - 1) + 1 : offset(start) }
}

/** A fault inside a value, moved to where the value stands in the query. */
export function faultIn(piece: Pick<ValuePiece, 'inside' | 'escaped'>, inner: Fault): Fault {
  return { ...inner, ...spanIn(piece, inner.start, inner.end) }
}
