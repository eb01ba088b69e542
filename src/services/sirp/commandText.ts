import type { CommandDraft } from '../../contract/sirp/commands.ts'
import { invalid, type Fault } from '../../platform/errors.ts'
import { findCommand } from '../../query/commands/index.ts'
import { commonFlags } from '../../query/commonFlags.ts'
import type { Param } from '../../query/params.ts'

/** A text that was put together, and which field of the body each place of it comes from. */
export interface CommandText {
  readonly text: string
  readonly pathAt: (start: number) => string
}

/** The text of the one-stage query that a dispatched command means; every value but the command's own words is quoted, so that none of them becomes syntax. */
export function commandText({ command, args = [], flags = {} }: CommandDraft): CommandText {
  const faults: Fault[] = []
  if (!/^[A-Za-z]+$/.test(command)) faults.push({ path: '/command', message: 'must be the name of a command' })
  const words = wordsOf(command)
  const values = args.map(([value], index) => piece(`/args/${index}/0`, (path) => (isAmong(words, value) ? value : written(value, path, faults))))
  const options = flatten(flags, declaredBy(command)).map(([name, value]) =>
    piece(`/flags/${name}`, (path) => `--${flagName(name, faults)}=${written(value, path, faults)}`),
  )
  if (faults.length > 0) throw invalid(faults)
  return joined([{ path: '/command', text: command }, ...values, ...options])
}

interface Piece {
  readonly path: string
  readonly text: string
}

const piece = (path: string, write: (path: string) => string): Piece => ({ path, text: write(path) })

function joined(pieces: readonly Piece[]): CommandText {
  const pathAt = (start: number): string => {
    let end = -1
    return pieces.find(({ text }) => (end += text.length + 1) > start)?.path ?? '/command'
  }
  return { text: pieces.map(({ text }) => text).join(' '), pathAt }
}

/** The words between the arguments of a command that have a meaning, such as `by`; they have it only where they stand bare. */
function wordsOf(command: string): ReadonlySet<string> {
  const params = Object.values<Param>(findCommand(command)?.args ?? {})
  return new Set(params.flatMap(({ rest, words }) => (rest && words ? words : [])).filter((word) => /^[a-z]+$/.test(word)))
}

const isAmong = (words: ReadonlySet<string>, value: unknown): value is string => typeof value === 'string' && words.has(value.toLowerCase())

type Declared = ReadonlyMap<string, Param>

/** The flags of a command, by their names in small letters. */
function declaredBy(command: string): Declared {
  const flags: Readonly<Record<string, Param>> = { ...commonFlags, ...findCommand(command)?.flags }
  return new Map(Object.entries(flags).map(([name, param]) => [name.toLowerCase(), param]))
}

/** Lists are flags given several times and nested objects their dotted names, but where a flag can be JSON they are its value. */
function flatten(flags: Readonly<Record<string, unknown>>, declared: Declared, prefix = ''): [string, unknown][] {
  return Object.entries(flags).flatMap(([key, value]): [string, unknown][] => {
    const name = `${prefix}${key}`
    if (typeof value !== 'object' || value === null || canBeJson(declared.get(name.toLowerCase()))) return [[name, value]]
    if (Array.isArray(value)) return value.map((item) => [name, item as unknown])
    return flatten(value as Record<string, unknown>, declared, `${name}.`)
  })
}

/** JSON stands in flags of that type, and in those whose text is filled row by row, such as the body of a request. */
const canBeJson = (param: Param | undefined): boolean => param !== undefined && !param.repeatable && (param.type === 'json' || !param.constant)

function flagName(name: string, faults: Fault[]): string {
  if (!/^[A-Za-z][A-Za-z0-9._-]*$/.test(name)) faults.push({ path: `/flags/${name.slice(0, 100)}`, message: 'is not the name of a flag' })
  return name
}

/** Numbers, booleans and null stand bare, everything else in quotes; lists and objects as their JSON. */
function written(value: unknown, path: string, faults: Fault[]): string {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text === undefined) faults.push({ path, message: 'must be a JSON value' })
  return `"${(text ?? '').replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
