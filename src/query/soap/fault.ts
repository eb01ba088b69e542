import { Problem } from '../../platform/errors.ts'

/** The problem that a failed call is: a fault of the service, or an answer that is none. */
export function faultOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  const fault = at(error, ['root', 'Envelope', 'Body', 'Fault'])
  if (fault === undefined) return new Problem('target_unreadable', `The answer of the service cannot be read as SOAP: ${reasonOf(error)}.`)
  const code = textAt(fault, ['faultcode']) ?? textAt(fault, ['Code', 'Subcode', 'Value']) ?? textAt(fault, ['Code', 'Value'])
  const message = textAt(fault, ['faultstring']) ?? textAt(fault, ['Reason', 'Text']) ?? 'without a message'
  return new Problem('command_failed', `The service answered with a fault: ${message}${code === undefined ? '' : ` (${code})`}.`)
}

function reasonOf(error: unknown): string {
  if (at(error, ['Fault']) !== undefined) return textAt(error, ['Fault', 'faultstring']) ?? 'it is broken'
  return error instanceof Error ? error.message.slice(0, 300) : 'it is broken'
}

function at(value: unknown, path: readonly string[]): unknown {
  let found = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Readonly<Record<string, unknown>>)[key] // an object that has it
  }
  return found
}

/** The text of an element, which lies deeper where it has attributes. */
function textAt(value: unknown, path: readonly string[]): string | undefined {
  const found = at(value, path)
  const text = Array.isArray(found) ? (found[0] as unknown) : found
  const inner = typeof text === 'object' ? at(text, ['$value']) : text
  return typeof inner === 'string' || typeof inner === 'number' ? String(inner).slice(0, 1_000) : undefined
}
