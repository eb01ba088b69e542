import { Problem } from '../errors.ts'

/** Headers as undici takes them: names and values in turn. */
export type HeaderList = readonly string[]

/** They belong to the connection, which is ours, and to the framing of the body. */
const ours = new Set([
  'connection', 'content-length', 'expect', 'host', 'http2-settings', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding',
  'upgrade',
])

const token = /^[\w!#$%&'*+.^`|~-]+$/
const illegalValue = /[^\t\x20-\x7e\x80-\xff]/

/** Words in the names of headers that hold secrets. */
export const secretName = /auth|cookie|token|secret|key|pass|credential|session|signature|csrf|xsrf|jwt/i

/** Headers that a request has unless it brings its own. */
export function usualHeaders(userAgent: string): HeaderList {
  return ['user-agent', userAgent, 'accept', '*/*', 'accept-encoding', 'gzip, deflate, br']
}

/** The headers of a request, checked, with the usual ones where it has none of that name. */
export function listHeaders(headers: Readonly<Record<string, string>> | undefined, usual: HeaderList): HeaderList {
  if (headers === undefined) return usual
  const list: string[] = []
  const names = new Set<string>()
  for (const [name, value] of Object.entries(headers)) {
    checkHeader(name, value)
    names.add(name.toLowerCase())
    list.push(name, value)
  }
  for (let at = 0; at < usual.length; at += 2) {
    const [name = '', value = ''] = [usual[at], usual[at + 1]]
    if (!names.has(name)) list.push(name, value)
  }
  return list
}

function checkHeader(name: string, value: string): void {
  if (!token.test(name)) throw unusable(`${JSON.stringify(name.slice(0, 100))} is not the name of a header. Use letters, digits and hyphens.`)
  if (ours.has(name.toLowerCase())) throw unusable(`The header ${name} is set by the connection itself. Leave it out.`)
  if (illegalValue.test(value)) throw unusable(`The value of the header ${name} holds a line break or another character that no header may have.`)
}

/** Leaves out the headers whose names say that they hold a secret. */
export const withoutSecrets = (list: HeaderList): HeaderList => without(list, secretName)

/** Leaves out the headers that describe a body. */
export const withoutBody = (list: HeaderList): HeaderList => without(list, /^content-/i)

function without(list: HeaderList, name: RegExp): HeaderList {
  return list.filter((_, at) => !name.test(list[at - (at % 2)] ?? ''))
}

const unusable = (detail: string): Problem => new Problem('unprocessable', detail)
