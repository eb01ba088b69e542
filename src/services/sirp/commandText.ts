import type { CommandDraft } from '../../contract/sirp/commands.ts'
import { invalid, type Fault } from '../../platform/errors.ts'

/** The text of the one-stage query that a dispatched command means; every value is quoted, so that none of them becomes syntax. */
export function commandText({ command, args = [], flags = {} }: CommandDraft): string {
  const faults: Fault[] = []
  if (!/^[A-Za-z]+$/.test(command)) faults.push({ path: '/command', message: 'must be the name of a command' })
  const values = args.map(([value], index) => written(value, `/args/${index}/0`, faults))
  const options = flatten(flags).map(([name, value]) => `--${flagName(name, faults)}=${written(value, `/flags/${name}`, faults)}`)
  if (faults.length > 0) throw invalid(faults)
  return [command, ...values, ...options].join(' ')
}

/** Nested objects of flags are their dotted names; lists are flags given several times. */
function flatten(flags: Readonly<Record<string, unknown>>, prefix = ''): [string, unknown][] {
  return Object.entries(flags).flatMap(([name, value]): [string, unknown][] => {
    if (Array.isArray(value)) return value.map((item) => [`${prefix}${name}`, item as unknown])
    if (typeof value === 'object' && value !== null) return flatten(value as Record<string, unknown>, `${prefix}${name}.`)
    return [[`${prefix}${name}`, value]]
  })
}

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
