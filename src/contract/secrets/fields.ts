import { Type } from 'typebox'
import { OneOf } from '../schemas.ts'

/** One line of text that is not secret. */
export function Text(description: string, options: object = {}) {
  return Type.String({ minLength: 1, maxLength: 2000, description, ...options })
}

/** A setting that is on or off, and what it is when left out. */
export function Flag(usual: boolean, description: string) {
  return Type.Optional(Type.Boolean({ default: usual, description }))
}

/** A setting that is one of a few words, and which one when left out. */
export function Choice<const Words extends readonly string[]>(words: Words, usual: Words[number], description: string) {
  return Type.Optional(OneOf(words, { default: usual, description }))
}

/** An address without user info, so that no password hides in a field that reads show. */
export function Url(schemes: readonly string[], description: string, options: object = {}) {
  const words = schemes.map((scheme) => scheme.replace('+', '\\+')).join('|')
  return Type.String({
    minLength: 1,
    maxLength: 10_000,
    pattern: `^(?:${words})://[^\\s/?#@\\\\]+(?:[/?#]\\S*)?$`,
    explain: `must be an address that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}, without user name or password in it`,
    description,
    ...options,
  })
}

/** An address that is reached by HTTP. */
export function HttpUrl(description: string, options: object = {}) {
  return Url(['https', 'http'], description, options)
}

const host = '(?:[A-Za-z0-9](?:[A-Za-z0-9._\\-]*)|\\[[0-9A-Fa-f:.]+\\])'

/** A host name or address without a port. */
export function Host(description: string) {
  return Type.String({
    maxLength: 255,
    pattern: `^${host}$`,
    explain: 'must be a host name or IP address (IPv6 in brackets) without scheme, port or path',
    description,
  })
}

/** A host name or address with a port. */
export function HostAndPort(description: string) {
  return Type.String({
    maxLength: 262,
    pattern: `^${host}:[0-9]{1,5}$`,
    explain: 'must be host:port, such as broker.example:9092',
    description,
  })
}

/** What the value of a header may be. */
export const headerValue = {
  maxLength: 8000,
  pattern: '^[^\\r\\n\\u0000]*$',
  explain: 'must be one line of at most 8000 characters',
} as const

/** Names of headers of HTTP, each with its value. */
export function HeaderMap<Value extends ReturnType<typeof Type.String>>(value: Value, description: string) {
  return Type.Record(Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z\\-]+$" }), value, {
    additionalProperties: false,
    maxProperties: 100,
    explain: 'must be an object of at most 100 header names, each with its value as text',
    description,
  })
}
