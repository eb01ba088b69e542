import type { Declared, DeclaredParam, Role } from './declared.ts'
import type { FlagPiece, ValuePiece, WrittenPiece } from './text/syntax.ts'

/** Takes what the pieces of a stage are. */
export interface PieceVisitor {
  /** A value by itself, and the argument that it is; none where there are too many. */
  argument(piece: ValuePiece, declared: DeclaredParam | undefined): void
  /** A flag with its value, if it takes one, and what is declared of it; nothing where it is unknown. */
  flag(piece: FlagPiece, value: ValuePiece | undefined, declared: DeclaredParam | undefined): void
}

/** Goes over the pieces of a stage in the order of the text and finds the arguments and flags that they are. */
export function visitPieces(declared: Declared, pieces: readonly WrittenPiece[], visitor: PieceVisitor): void {
  let values = 0
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at]
    if (!piece) break
    if (piece.kind === 'value') {
      visitor.argument(piece, declared.args[Math.min(values, declared.restAt)])
      values += 1
    } else {
      const flag = flagNamed(declared, piece.name)
      const next = pieces[at + 1]
      const value = next?.kind === 'value' && takesValue(flag, piece, next) ? next : undefined
      visitor.flag(piece, value, flag)
      if (value) at += 1
    }
  }
}

/** The flag of a name, without regard to case; of an open flag only what stands before its dot is declared. */
function flagNamed({ flags, open }: Declared, written: string): DeclaredParam | undefined {
  const name = written.toLowerCase()
  return flags.get(name) ?? (open && name.length > open.prefix.length && name.startsWith(open.prefix) ? open.param : undefined)
}

/** A boolean flag stands alone, unless a bare `true` or `false` follows it or a value stands behind its `=`. */
function takesValue(flag: DeclaredParam | undefined, { glued }: FlagPiece, { quoting, text }: ValuePiece): boolean {
  return glued || flag?.param.type !== 'boolean' || (quoting === 'bare' && (text === 'true' || text === 'false'))
}

/** What the pieces of a stage are, in the order of the text; found when somebody asks, because of most stages nobody does. */
export class Roles implements Iterable<readonly [WrittenPiece, Role]> {
  readonly #declared: Declared
  readonly #pieces: readonly WrittenPiece[]

  constructor(declared: Declared, pieces: readonly WrittenPiece[]) {
    this.#declared = declared
    this.#pieces = pieces
  }

  [Symbol.iterator](): Iterator<readonly [WrittenPiece, Role]> {
    const found: (readonly [WrittenPiece, Role])[] = []
    visitPieces(this.#declared, this.#pieces, {
      argument(piece, declared) {
        if (declared) found.push([piece, declared.value])
      },
      flag(piece, value, declared) {
        found.push([piece, declared?.flag ?? { role: 'flag', name: piece.name }])
        if (value) found.push([value, declared?.value ?? { role: 'value', name: piece.name }])
      },
    })
    return found.values()
  }
}
