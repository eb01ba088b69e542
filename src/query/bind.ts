import type { AnyCommand } from './command.ts'
import { declaredBy, type Declared, type DeclaredParam, type Role } from './declared.ts'
import { Later, readConstant, type KnownTokens } from './later.ts'
import type { Param, Read } from './params.ts'
import { Roles, visitPieces, type PieceVisitor } from './roles.ts'
import { fault, maxFaults, quoted, tell, type Fault } from './text/fault.ts'
import { nearest } from './text/nearest.ts'
import type { FlagPiece, ValuePiece, WrittenPiece, WrittenStage } from './text/syntax.ts'

/** A stage whose pieces have found their parameters. */
export interface BoundStage {
  readonly command: AnyCommand
  readonly start: number
  readonly end: number
  readonly args: Readonly<Record<string, unknown>>
  readonly flags: Readonly<Record<string, unknown>>
  /** Whether some of these are read only when the stage starts. */
  readonly isLater: boolean
  /** As the plan shows them. */
  readonly shownArgs: readonly unknown[]
  readonly shownFlags: Readonly<Record<string, unknown>>
  /** What each piece is, for whoever colours the text or looks for names in it. */
  readonly roles: Iterable<readonly [WrittenPiece, Role]>
}

/** Gives the pieces of a stage to the arguments and flags of its command; every fault is reported, not only the first. */
export function bindStage(command: AnyCommand, written: WrittenStage, faults: Fault[], known: KnownTokens): BoundStage {
  const binder = new Binder(command, written, known)
  const stage = binder.run()
  // A text with this many faults in earlier stages shows none of these.
  if (faults.length < maxFaults) for (const found of binder.faults) faults.push(found)
  return stage
}

const nothing: Record<string, unknown> = Object.freeze({})
const noneShown: readonly unknown[] = Object.freeze([])
const noRoles: BoundStage['roles'] = Object.freeze([])

class Binder implements PieceVisitor {
  readonly faults: Fault[] = []
  readonly #command: AnyCommand
  readonly #declared: Declared
  readonly #written: WrittenStage
  readonly #known: KnownTokens
  readonly #values: ValuePiece[] = []
  readonly #args: Record<string, unknown> = {}
  readonly #shownArgs: unknown[] = []
  #flags: Record<string, unknown>
  #shownFlags = nothing
  #isLater = false

  constructor(command: AnyCommand, written: WrittenStage, known: KnownTokens) {
    this.#command = command
    this.#declared = declaredBy(command)
    this.#written = written
    this.#known = known
    this.#flags = this.#declared.defaults
  }

  run(): BoundStage {
    const { rest, start, end } = this.#written
    visitPieces(this.#declared, rest, this)
    this.#fillGaps()
    this.#check()
    return {
      command: this.#command,
      start,
      end,
      args: this.#declared.args.length > 0 ? this.#args : nothing,
      flags: this.#flags,
      isLater: this.#isLater,
      // A copy has no room to grow, and a query may have very many stages.
      shownArgs: this.#shownArgs.length > 0 ? this.#shownArgs.slice() : noneShown,
      shownFlags: this.#shownFlags,
      roles: rest.length > 0 ? new Roles(this.#declared, rest) : noRoles,
    }
  }

  argument(piece: ValuePiece, declared: DeclaredParam | undefined): void {
    this.#values.push(piece)
    if (!declared) return tell(this.faults, () => this.#unwanted(piece))
    const { name, param } = declared
    const { value, shown } = this.#read(param, piece)
    this.#args[name] = param.rest ? added(this.#args[name], value) : value
    this.#shownArgs.push(shown)
  }

  flag(piece: FlagPiece, value: ValuePiece | undefined, declared: DeclaredParam | undefined): void {
    if (!declared) return this.#unknownFlag(piece)
    const { param } = declared
    if (value) return this.#give(piece, declared, this.#read(param, value))
    if (param.type === 'boolean') return this.#give(piece, declared, given)
    tell(this.faults, () => fault(piece.start, piece.end, `--${this.#nameOf(piece, declared)} needs a value`, { expected: expectationOf(param) }))
  }

  #unknownFlag({ name, start, end }: FlagPiece): void {
    tell(this.faults, () => {
      const known = Array.from(this.#declared.flags.values(), (flag) => flag.name)
      const hint = nearest(name, known)
      const expected = known.map((flag) => `--${flag}`).join(', ')
      return fault(start, end, `${this.#command.name} has no flag --${quoted(name)}`, { expected, ...(hint ? { hint: `--${hint}` } : {}) })
    })
  }

  #give(piece: FlagPiece, declared: DeclaredParam, { value, shown }: Pick<Read<unknown>, 'value' | 'shown'>): void {
    const name = this.#nameOf(piece, declared)
    const isGiven = Object.hasOwn(this.#shownFlags, name)
    if (declared.param.repeatable) this.#setFlag(name, added(isGiven ? this.#flags[name] : undefined, value), added(this.#shownFlags[name], [shown]))
    else if (!isGiven) this.#setFlag(name, value, shown)
    else tell(this.faults, () => fault(piece.start, piece.end, `--${quoted(name)} is given twice`, { expected: 'each flag once' }))
  }

  #setFlag(name: string, value: unknown, shown: unknown): void {
    if (this.#shownFlags === nothing) {
      // What is left out is inherited, so that a stage holds only what it says.
      this.#flags = Object.create(this.#declared.defaults) as Record<string, unknown>
      this.#shownFlags = {}
    }
    this.#flags[name] = value
    this.#shownFlags[name] = shown
  }

  /** An open flag is told by what is written behind its dot. */
  #nameOf({ name }: FlagPiece, declared: DeclaredParam): string {
    const { open } = this.#declared
    if (declared !== open?.param) return declared.name
    return name.startsWith(open.prefix) ? name : open.prefix + name.slice(open.prefix.length)
  }

  #read(param: Param, piece: ValuePiece): Read<unknown> {
    const read = param.constant || param.raw ? readConstant(param, piece, this.#known, this.#command.each !== undefined) : param.read(piece)
    for (const found of read.faults) tell(this.faults, () => found)
    if (read.value instanceof Later) this.#isLater = true
    return read
  }

  #unwanted({ start, end }: ValuePiece): Fault {
    const { length } = this.#declared.args
    const takes = length === 0 ? 'no argument' : `${length} argument${length === 1 ? '' : 's'}`
    return fault(start, end, `${this.#command.name} takes ${takes}`, { expected: '|| or a flag' })
  }

  /** Arguments that were left out, and flags that must not be. */
  #fillGaps(): void {
    const { args, restAt, required } = this.#declared
    for (const { name, param } of args.slice(Math.min(this.#values.length, restAt + 1))) {
      if (!param.optional && (param.rest || !param.fallback)) this.#lacks(name, param)
      this.#args[name] = param.fallback?.value
    }
    for (const { name, param } of required) if (!Object.hasOwn(this.#shownFlags, name)) this.#lacks(`--${name}`, param)
  }

  #lacks(what: string, param: Param): void {
    const { start, end } = this.#written.name
    this.faults.push(fault(start, end, `${this.#command.name} needs ${what}`, { expected: expectationOf(param) }))
  }

  #check(): void {
    if (!this.#command.check || this.faults.length > 0 || this.#isLater) return
    const call = { args: this.#args, flags: this.#flags }
    const written = { name: this.#written.name, values: this.#values }
    const found = this.#command.check(call as never, written) // the values were read with this command's own parameters
    for (const each of found) tell(this.faults, () => each)
  }
}

/** What a flag says that stands alone. */
const given = { value: true, shown: true }

/** Values of a parameter that takes several are one list; each reading gives a list of its own, or a value that comes later. */
function added(before: unknown, value: unknown): unknown[] {
  const values = Array.isArray(before) ? (before as unknown[]) : []
  if (Array.isArray(value)) for (const item of value as unknown[]) values.push(item)
  else values.push(value)
  return values
}

/** Most words that are listed; of more only what they are for is told. */
const maxListed = 20

const expectationOf = ({ words, type, doc }: Param): string => (words && words.length <= maxListed ? words.join(', ') : `${type}: ${doc}`)
