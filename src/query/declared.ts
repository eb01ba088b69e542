import type { AnyCommand } from './command.ts'
import { commonFlags } from './commonFlags.ts'
import type { Param } from './params.ts'

/** What a piece of a stage was found to be. */
export interface Role {
  readonly role: 'argument' | 'flag' | 'value'
  readonly name: string
  readonly param?: Param
}

/** A parameter with what its pieces are. */
export interface DeclaredParam {
  readonly name: string
  readonly param: Param
  /** What the name of a flag is. */
  readonly flag: Role
  /** What its value is. */
  readonly value: Role
}

/** What a command declares, ready for the binding of many stages. */
export interface Declared {
  readonly args: readonly DeclaredParam[]
  /** The place among them of the one that takes all that is left; infinite where none does. */
  readonly restAt: number
  /** Its own flags and the common ones, by their names in lower case. */
  readonly flags: ReadonlyMap<string, DeclaredParam>
  /** Flags whose names are open, and what these begin with, in lower case. */
  readonly open: { readonly prefix: string; readonly param: DeclaredParam } | undefined
  /** The flags that must be given. */
  readonly required: readonly DeclaredParam[]
  /** The values of flags that are left out. */
  readonly defaults: Readonly<Record<string, unknown>>
  /** Those of them that a plan shows. */
  readonly shownDefaults: Readonly<Record<string, unknown>>
  /** Whether one of its arguments is another stage. */
  readonly takesStage: boolean
}

const known = new WeakMap<AnyCommand, Declared>()

/** What a command declares; read once a command. */
export function declaredBy(command: AnyCommand): Declared {
  const before = known.get(command)
  if (before) return before
  const declared = readDeclarations(command)
  known.set(command, declared)
  return declared
}

function readDeclarations(command: AnyCommand): Declared {
  const args = Object.entries<Param>(command.args).map(([name, param]) => declaredParam(name, param, 'argument'))
  const flags = Object.entries<Param>({ ...commonFlags, ...command.flags })
    .filter(([name]) => !name.endsWith('.*'))
    .map(([name, param]) => declaredParam(name, param, 'value'))
  const restAt = args.findIndex(({ param }) => param.rest)
  return {
    args,
    restAt: restAt < 0 ? Infinity : restAt,
    flags: new Map(flags.map((flag) => [flag.name.toLowerCase(), flag])),
    open: openFlag(command),
    required: flags.filter(({ param }) => !param.optional && !param.fallback),
    defaults: Object.fromEntries(flags.map(({ name, param }) => [name, param.fallback?.value])),
    shownDefaults: Object.fromEntries(flags.flatMap(({ name, param: { fallback, repeatable } }) => (fallback && !repeatable ? [[name, fallback.value]] : []))),
    takesStage: args.some(({ param }) => param.type === 'stage'),
  }
}

function openFlag({ flags, openFlags }: AnyCommand): Declared['open'] {
  const name = `${openFlags}.*`
  const param = flags[name]
  return param && { prefix: name.slice(0, -1).toLowerCase(), param: declaredParam(name, param, 'value') }
}

/** A parameter with its roles, which all its pieces share. */
function declaredParam(name: string, param: Param, role: Role['role']): DeclaredParam {
  return { name, param, flag: { role: 'flag', name, param }, value: { role, name, param } }
}
