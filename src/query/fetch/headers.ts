import { Problem } from '../../platform/errors.ts'

const token = /^[\w!#$%&'*+.^`|~-]+$/

/** Headers as they are sent: names in lower case, values as text; what is null is left out. Data can neither end a header nor begin another. */
export function readHeaders(given: unknown): Map<string, string> {
  if (given === undefined || given === null) return new Map()
  if (typeof given !== 'object' || Array.isArray(given)) throw notAnObject()
  const headers = new Map<string, string>()
  for (const [name, value] of Object.entries(given)) {
    if (value !== null && value !== undefined) headers.set(checkedName(name), checkedValue(name, value))
  }
  return headers
}

const notAnObject = (): Problem => new Problem('unprocessable', '--headers must be an object of names and values, such as {"Accept": "text/csv"}.')

function checkedName(name: string): string {
  if (!token.test(name)) throw new Problem('unprocessable', `${JSON.stringify(name.slice(0, 100))} is not the name of a header: letters, digits and hyphens are.`)
  return name.toLowerCase()
}

/** The value of a header as text; the message does not repeat it, because it may hold a secret. */
export function checkedValue(name: string, value: unknown): string {
  if (typeof value === 'object') throw new Problem('unprocessable', `The header ${name} must have a text, a number or a boolean as its value.`)
  const text = String(value)
  if (!/[\0\r\n]/.test(text)) return text
  throw new Problem('unprocessable', `The value of the header ${name} holds a line break or a NUL character, which no header can hold; replace it before.`)
}
