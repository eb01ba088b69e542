import type { AnyCommand } from './command.ts'
import { commonFlags } from './commonFlags.ts'
import { hasLater, readConstant, type KnownTokens } from './later.ts'
import type { Param } from './params.ts'
import { fault, maxFaults, quoted, tell, type Fault } from './text/fault.ts'
import { nearest } from './text/nearest.ts'
import type { FlagPiece, ValuePiece, WrittenStage } from './text/syntax.ts'

/** A value that was given to a parameter. */
interface Given {
  readonly name: string
  readonly value: unknown
  readonly shown: unknown
}

/** A stage whose pieces have found their parameters. */
export interface BoundStage {
  readonly command: AnyCommand
  readonly start: number
  readonly end: number
  readonly args: Readonly<Record<string, unknown>>
  readonly flags: Readonly<Record<string, unknown>>
  /** As the plan shows them. */
  readonly shownArgs: readonly unknown[]
  readonly shownFlags: Readonly<Record<string, unknown>>
  /** What each value piece belongs to, for whoever colours the text. */
  readonly roles: ReadonlyMap<ValuePiece | FlagPiece, { readonly role: 'argument' | 'flag' | 'value'; readonly name: string; readonly param?: Param }>
}

/** Gives the pieces of a stage to the arguments and flags of its command; every fault is reported, not only the first. */
export function bindStage(command: AnyCommand, written: WrittenStage, faults: Fault[], known: KnownTokens): BoundStage {
  const binder = new Binder(command, written, known)
  const stage = binder.run()
  // A text with this many faults in earlier stages shows none of these.
  if (faults.length < maxFaults) for (const found of binder.faults()) faults.push(found)
  return stage
}

class Binder {
  readonly #command: AnyCommand
  readonly #written: WrittenStage
  readonly #known: KnownTokens
  readonly #flagFaults: Fault[] = []
  readonly #faults: Fault[] = []
  readonly #flags = new Map<string, { readonly param: Param; readonly list: Given[] }>()
  readonly #values: ValuePiece[] = []
  readonly #roles = new Map<ValuePiece | FlagPiece, { role: 'argument' | 'flag' | 'value'; name: string; param?: Param }>()

  constructor(command: AnyCommand, written: WrittenStage, known: KnownTokens) {
    this.#command = command
    this.#written = written
    this.#known = known
  }

  faults(): Fault[] {
    return [...this.#flagFaults, ...this.#faults]
  }

  run(): BoundStage {
    const { rest } = this.#written
    for (let at = 0; at < rest.length; at += 1) {
      const piece = rest[at]
      if (piece?.kind === 'value') this.#values.push(piece)
      else if (piece) at += this.#flag(piece, rest[at + 1])
    }
    const args = this.#arguments()
    const flags = this.#allFlags()
    const call = { args: valuesOf(args), flags: valuesOf(flags) }
    if (this.faults().length === 0 && !hasLater(call.args) && !hasLater(call.flags)) this.#check(call)
    return {
      command: this.#command,
      start: this.#written.start,
      end: this.#written.end,
      ...call,
      shownArgs: args.flatMap(({ name, shown }) => (shown === undefined ? [] : this.#command.args[name]?.rest ? shown : [shown])),
      shownFlags: Object.fromEntries(flags.filter(({ shown }) => shown !== undefined).map(({ name, shown }) => [name, shown])),
      roles: this.#roles,
    }
  }

  #check(call: Pick<BoundStage, 'args' | 'flags'>): void {
    const written = { name: this.#written.name, values: this.#values }
    const found = this.#command.check?.(call as never, written) ?? [] // the values were read with this command's own parameters
    for (const each of found) tell(this.#faults, () => each)
  }

  /** Reads one flag; answers how many further pieces it took. */
  #flag(piece: FlagPiece, next: ValuePiece | FlagPiece | undefined): 0 | 1 {
    const { name, param } = this.#declared(piece.name)
    this.#roles.set(piece, { role: 'flag', name, ...(param ? { param } : {}) })
    const value = next?.kind === 'value' ? next : undefined
    if (!param) {
      this.#unknownFlag(piece)
      return value ? 1 : 0
    }
    const alone = param.type === 'boolean' && !piece.glued && (value?.quoting !== 'bare' || (value.text !== 'true' && value.text !== 'false'))
    if (alone) this.#give(piece, { name, value: true, shown: true }, param)
    else if (!value) tell(this.#flagFaults, () => fault(piece.start, piece.end, `--${name} needs a value`, { expected: expectationOf(param) }))
    else {
      this.#roles.set(value, { role: 'value', name, param })
      this.#give(piece, this.#read(param, name, value, this.#flagFaults), param)
    }
    return alone || !value ? 0 : 1
  }

  /** The flag of a name, without regard to case; of an open flag only what stands before its dot is declared. */
  #declared(written: string): { readonly name: string; readonly param?: Param } {
    const known = flagsOf(this.#command).get(written.toLowerCase())
    if (known) return known
    const { flags, openFlags } = this.#command
    const prefix = `${openFlags ?? ''}.`
    const inside = written.slice(prefix.length)
    const param = flags[`${prefix}*`]
    if (!param || inside === '' || written.slice(0, prefix.length).toLowerCase() !== prefix.toLowerCase()) return { name: written }
    return { name: `${prefix}${inside}`, param }
  }

  #unknownFlag({ name, start, end }: FlagPiece): void {
    tell(this.#flagFaults, () => {
      const known = Array.from(flagsOf(this.#command).values(), (flag) => flag.name)
      const hint = nearest(name, known)
      const expected = known.map((flag) => `--${flag}`).join(', ')
      return fault(start, end, `${this.#command.name} has no flag --${quoted(name)}`, { expected, ...(hint ? { hint: `--${hint}` } : {}) })
    })
  }

  #give(piece: FlagPiece, given: Given, param: Param): void {
    const before = this.#flags.get(given.name)
    if (!before) this.#flags.set(given.name, { param, list: [given] })
    else if (param.repeatable) before.list.push(given)
    else tell(this.#flagFaults, () => fault(piece.start, piece.end, `--${quoted(given.name)} is given twice`, { expected: 'each flag once' }))
  }

  #read(param: Param, name: string, piece: ValuePiece, into: Fault[]): Given {
    const { value, shown, faults } = param.constant ? readConstant(param, piece, this.#known) : param.read(piece)
    for (const found of faults) tell(into, () => found)
    return { name, value, shown }
  }

  #arguments(): Given[] {
    const params = Object.entries(this.#command.args)
    const given: Given[] = []
    let at = 0
    for (const [name, param] of params) {
      const pieces = param.rest ? this.#values.slice(at) : this.#values.slice(at, at + 1)
      at += pieces.length
      for (const piece of pieces) this.#roles.set(piece, { role: 'argument', name, param })
      if (pieces.length === 0) given.push(this.#absent(name, param))
      else given.push(joined(name, param, pieces.map((piece) => this.#read(param, name, piece, this.#faults))))
    }
    const takes = params.length === 0 ? 'no argument' : `${params.length} argument${params.length === 1 ? '' : 's'}`
    for (const extra of this.#values.slice(at, at + maxFaults)) {
      tell(this.#faults, () => fault(extra.start, extra.end, `${this.#command.name} takes ${takes}`, { expected: '|| or a flag' }))
    }
    return given
  }

  #absent(name: string, param: Param): Given {
    if (!param.optional && (param.rest || !param.fallback)) {
      const { start, end } = this.#written.name
      this.#faults.push(fault(start, end, `${this.#command.name} needs ${name}`, { expected: expectationOf(param) }))
    }
    return { name, value: param.fallback?.value, shown: undefined }
  }

  /** Given flags, and the declared ones that were left out, with their defaults. */
  #allFlags(): Given[] {
    const given = [...this.#flags].map(([name, { param, list }]) => joined(name, param, list))
    const left = [...flagsOf(this.#command).values()].filter(({ name }) => !this.#flags.has(name))
    for (const { name, param } of left) {
      if (param.optional || param.fallback) continue
      const { start, end } = this.#written.name
      this.#faults.push(fault(start, end, `${this.#command.name} needs --${name}`, { expected: expectationOf(param) }))
    }
    return [...given, ...left.map(({ name, param }) => ({ name, value: param.fallback?.value, shown: undefined }))]
  }
}

const valuesOf = (given: readonly Given[]): Record<string, unknown> => Object.fromEntries(given.map(({ name, value }) => [name, value]))

type Flags = ReadonlyMap<string, { readonly name: string; readonly param: Param }>

const flagsOfCommands = new WeakMap<AnyCommand, Flags>()

/** The flags that a command declares, its own and the common ones, by their names in lower case; made once a command. */
function flagsOf(command: AnyCommand): Flags {
  const known = flagsOfCommands.get(command)
  if (known) return known
  const declared = Object.entries<Param>({ ...commonFlags, ...command.flags }).filter(([name]) => !name.endsWith('.*'))
  const flags = new Map(declared.map(([name, param]) => [name.toLowerCase(), { name, param }]))
  flagsOfCommands.set(command, flags)
  return flags
}

/** Values of a parameter that takes several are one list. */
function joined(name: string, param: Param, list: readonly Given[]): Given {
  if (!param.rest && !param.repeatable) return list[0] ?? { name, value: undefined, shown: undefined }
  return { name, value: list.flatMap(({ value }) => value as unknown[]), shown: list.map(({ shown }) => shown) }
}

const expectationOf = (param: Param): string => (param.words ? param.words.join(', ') : `${param.type}: ${param.doc}`)
