import type { AnyCommand } from './command.ts'
import { declaredBy, declaredParam, type Declared, type DeclaredParam, type Role } from './declared.ts'
import { Later, readConstant, type KnownTokens } from './later.ts'
import type { Param, Read } from './params.ts'
import { fault, maxFaults, quoted, tell, type Fault } from './text/fault.ts'
import { nearest } from './text/nearest.ts'
import type { FlagPiece, ValuePiece, WrittenStage } from './text/syntax.ts'

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
  readonly roles: ReadonlyMap<ValuePiece | FlagPiece, Role>
}

/** Gives the pieces of a stage to the arguments and flags of its command; every fault is reported, not only the first. */
export function bindStage(command: AnyCommand, written: WrittenStage, faults: Fault[], known: KnownTokens): BoundStage {
  const binder = new Binder(command, written, known)
  const stage = binder.run()
  // A text with this many faults in earlier stages shows none of these.
  if (faults.length < maxFaults) binder.tellFaults(faults)
  return stage
}

/** A flag that was given, with one value or, where it is repeatable, all of them. */
interface GivenFlag {
  value: unknown
  shown: unknown
}

const noRoles: BoundStage['roles'] = new Map()
const nothingShown: Readonly<Record<string, unknown>> = Object.freeze({})

class Binder {
  readonly #command: AnyCommand
  readonly #declared: Declared
  readonly #written: WrittenStage
  readonly #known: KnownTokens
  readonly #flagFaults: Fault[] = []
  readonly #faults: Fault[] = []
  readonly #values: ValuePiece[] = []
  readonly #shownArgs: unknown[] = []
  readonly #roles: Map<ValuePiece | FlagPiece, Role> | undefined
  #flags: Map<string, GivenFlag> | undefined
  #isLater = false

  constructor(command: AnyCommand, written: WrittenStage, known: KnownTokens) {
    this.#command = command
    this.#declared = declaredBy(command)
    this.#written = written
    this.#known = known
    this.#roles = written.rest.length > 0 ? new Map() : undefined
  }

  tellFaults(into: Fault[]): void {
    for (const found of this.#flagFaults) into.push(found)
    for (const found of this.#faults) into.push(found)
  }

  run(): BoundStage {
    const { rest, start, end } = this.#written
    for (let at = 0; at < rest.length; at += 1) {
      const piece = rest[at]
      if (piece?.kind === 'value') this.#values.push(piece)
      else if (piece) at += this.#flag(piece, rest[at + 1])
    }
    const args = this.#arguments()
    const { flags, shownFlags } = this.#allFlags()
    if (this.#faults.length === 0 && this.#flagFaults.length === 0 && !this.#isLater) this.#check({ args, flags })
    return { command: this.#command, start, end, args, flags, shownArgs: this.#shownArgs, shownFlags, roles: this.#roles ?? noRoles }
  }

  #check(call: Pick<BoundStage, 'args' | 'flags'>): void {
    if (!this.#command.check) return
    const written = { name: this.#written.name, values: this.#values }
    const found = this.#command.check(call as never, written) // the values were read with this command's own parameters
    for (const each of found) tell(this.#faults, () => each)
  }

  /** Reads one flag; answers how many further pieces it took. */
  #flag(piece: FlagPiece, next: ValuePiece | FlagPiece | undefined): 0 | 1 {
    const declared = this.#declaredFlag(piece.name)
    const value = next?.kind === 'value' ? next : undefined
    this.#roles?.set(piece, declared?.flag ?? { role: 'flag', name: piece.name })
    if (!declared) {
      this.#unknownFlag(piece)
      return value ? 1 : 0
    }
    const { name, param } = declared
    const alone = param.type === 'boolean' && !piece.glued && (value?.quoting !== 'bare' || (value.text !== 'true' && value.text !== 'false'))
    if (alone) this.#give(piece, declared, true, true)
    else if (!value) tell(this.#flagFaults, () => fault(piece.start, piece.end, `--${name} needs a value`, { expected: expectationOf(param) }))
    else {
      this.#roles?.set(value, declared.value)
      const read = this.#read(param, value, this.#flagFaults)
      this.#give(piece, declared, read.value, read.shown)
    }
    return alone || !value ? 0 : 1
  }

  /** The flag of a name, without regard to case; of an open flag only what stands before its dot is declared. */
  #declaredFlag(written: string): DeclaredParam | undefined {
    const known = this.#declared.flags.get(written.toLowerCase())
    if (known) return known
    const { flags, openFlags } = this.#command
    const prefix = `${openFlags ?? ''}.`
    const inside = written.slice(prefix.length)
    const param = flags[`${prefix}*`]
    if (!param || inside === '' || written.slice(0, prefix.length).toLowerCase() !== prefix.toLowerCase()) return undefined
    return declaredParam(`${prefix}${inside}`, param, 'value')
  }

  #unknownFlag({ name, start, end }: FlagPiece): void {
    tell(this.#flagFaults, () => {
      const known = Array.from(this.#declared.flags.values(), (flag) => flag.name)
      const hint = nearest(name, known)
      const expected = known.map((flag) => `--${flag}`).join(', ')
      return fault(start, end, `${this.#command.name} has no flag --${quoted(name)}`, { expected, ...(hint ? { hint: `--${hint}` } : {}) })
    })
  }

  #give(piece: FlagPiece, { name, param }: DeclaredParam, value: unknown, shown: unknown): void {
    this.#flags ??= new Map()
    const before = this.#flags.get(name)
    if (before && !param.repeatable) tell(this.#flagFaults, () => fault(piece.start, piece.end, `--${quoted(name)} is given twice`, { expected: 'each flag once' }))
    else if (before) addTo(before, value, shown)
    else this.#flags.set(name, param.repeatable ? addTo({ value: [], shown: [] }, value, shown) : { value, shown })
  }

  #read(param: Param, piece: ValuePiece, into: Fault[]): Read<unknown> {
    const read = param.constant ? readConstant(param, piece, this.#known) : param.read(piece)
    for (const found of read.faults) tell(into, () => found)
    if (read.value instanceof Later) this.#isLater = true
    return read
  }

  #arguments(): Record<string, unknown> {
    const args: Record<string, unknown> = {}
    const values = this.#values
    let at = 0
    for (const declared of this.#declared.args) {
      const { name, param } = declared
      const end = param.rest ? values.length : Math.min(at + 1, values.length)
      args[name] = at === end ? this.#absent(name, param) : param.rest ? this.#readRest(declared, at) : this.#readOne(declared, values[at])
      at = end
    }
    for (const extra of values.slice(at, at + maxFaults)) tell(this.#faults, () => this.#unwanted(extra))
    return args
  }

  #readOne({ param, value }: DeclaredParam, piece: ValuePiece | undefined): unknown {
    if (!piece) return undefined
    this.#roles?.set(piece, value)
    const read = this.#read(param, piece, this.#faults)
    if (read.shown !== undefined) this.#shownArgs.push(read.shown)
    return read.value
  }

  #readRest({ param, value }: DeclaredParam, from: number): unknown[] {
    const all = { value: [], shown: this.#shownArgs }
    for (let at = from; at < this.#values.length; at += 1) {
      const piece = this.#values[at]
      if (!piece) break
      this.#roles?.set(piece, value)
      const read = this.#read(param, piece, this.#faults)
      addTo(all, read.value, read.shown)
    }
    return all.value
  }

  #unwanted({ start, end }: ValuePiece): Fault {
    const { length } = this.#declared.args
    const takes = length === 0 ? 'no argument' : `${length} argument${length === 1 ? '' : 's'}`
    return fault(start, end, `${this.#command.name} takes ${takes}`, { expected: '|| or a flag' })
  }

  #absent(name: string, param: Param): unknown {
    if (!param.optional && (param.rest || !param.fallback)) this.#lacks(name, param)
    return param.fallback?.value
  }

  #lacks(what: string, param: Param): void {
    const { start, end } = this.#written.name
    this.#faults.push(fault(start, end, `${this.#command.name} needs ${what}`, { expected: expectationOf(param) }))
  }

  /** Given flags, and the declared ones that were left out, with their defaults. */
  #allFlags(): Pick<BoundStage, 'flags' | 'shownFlags'> {
    const { required, defaults } = this.#declared
    const given = this.#flags
    for (const { name, param } of required) if (!given?.has(name)) this.#lacks(`--${name}`, param)
    if (!given) return { flags: defaults, shownFlags: nothingShown }
    const flags: Record<string, unknown> = { ...defaults }
    const shownFlags: Record<string, unknown> = {}
    for (const [name, { value, shown }] of given) {
      flags[name] = value
      if (shown !== undefined) shownFlags[name] = shown
    }
    return { flags, shownFlags }
  }
}

/** Values of a parameter that takes several are one list; each reading gives a list of its own, or a value that comes later. */
function addTo<Kept extends GivenFlag>(kept: Kept, value: unknown, shown: unknown): Kept {
  const values = kept.value as unknown[] // made as a list by the callers
  const all = kept.shown as unknown[]
  if (Array.isArray(value)) for (const item of value as unknown[]) values.push(item)
  else values.push(value)
  all.push(shown)
  return kept
}

const expectationOf = (param: Param): string => (param.words ? param.words.join(', ') : `${param.type}: ${param.doc}`)
