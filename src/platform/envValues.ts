import { isIP } from 'node:net'
import { readEd25519 } from './ed25519.ts'
import { normalizeHost } from './hosts.ts'

/** Turns the text of a setting into its value, or throws what it must be. */
export type Parse<Value> = (text: string) => Value

/** A whole number within bounds. */
export function integer(least: number, most: number): Parse<number> {
  return (text) => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < least || value > most) throw new Error(`must be a whole number from ${least} to ${most}`)
    return value
  }
}

const units = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 } as const

/** A size such as `512MiB`; a bare number counts bytes. */
export function bytes(least: number): Parse<number> {
  return (text) => {
    const match = /^(\d{1,15})\s*(B|KiB|MiB|GiB)?$/.exec(text)
    const value = match ? Number(match[1]) * units[(match[2] ?? 'B') as keyof typeof units] : Number.NaN
    if (!Number.isSafeInteger(value) || value < least) throw new Error('must be a size such as 1048576, 512MiB or 1GiB')
    return value
  }
}

/** Text within a length. */
export function text(least: number, most: number): Parse<string> {
  return (value) => {
    if (value.length < least || value.length > most) throw new Error(`must have ${least} to ${most} characters`)
    return value
  }
}

/** Text that matches a pattern, described in words. */
export function pattern(expression: RegExp, words: string): Parse<string> {
  return (value) => {
    if (!expression.test(value)) throw new Error(`must be ${words}`)
    return value
  }
}

/** One of some words. */
export function anyOf<const Words extends readonly string[]>(...words: Words): Parse<Words[number]> {
  return (value) => {
    if (!words.includes(value)) throw new Error(`must be one of ${words.join(', ')}`)
    return value
  }
}

/** A URL of one of these protocols. */
export function url(...protocols: string[]): Parse<string> {
  return (value) => {
    const { protocol = '', username = '', password = '' } = URL.canParse(value) ? new URL(value) : {}
    if (!protocols.includes(protocol)) throw new Error(`must be a URL that begins with ${protocols.map((one) => `${one}//`).join(' or ')}`)
    if (![username, password].every(canDecode)) throw new Error('must have a user name and password that are percent-encoded, with %25 for a percent sign')
    return value
  }
}

function canDecode(part: string): boolean {
  try {
    decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}

/** An Ed25519 public key, kept as it is written. */
export function ed25519Key(value: string): string {
  if (value.length > 10_000 || readEd25519(value) === null) throw new Error('must be an Ed25519 public key: PEM, or base64url of its 32 bytes')
  return value
}

/** Where a web service is found: an http or https URL that holds nothing but its place. */
export function endpoint(value: string): string {
  const { protocol = '', username, password, search, hash } = URL.canParse(value) ? new URL(value) : {}
  if (!/^https?:$/.test(protocol) || [username, password, search, hash].some(Boolean)) {
    throw new Error('must be a URL that begins with http:// or https://, without a user name, password, query or fragment')
  }
  return value
}

/** A header as `name=value`; what would be taken for a separator is percent-encoded. */
export function headerPair(value: string): string {
  const isPair = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+\s*=[\x20-\x7e]*$/.test(value) && !/%(?![0-9A-Fa-f]{2})/.test(value)
  if (!isPair) throw new Error('must list headers such as name=value, with percent signs for commas and percent signs (%2C, %25)')
  return value
}

const addressBits: Readonly<Record<number, number>> = { 4: 32, 6: 128 }

/** A range of addresses such as `10.0.0.0/8`, or a host with its port such as `files.lan:8080`. */
export function networkTarget(value: string): string {
  const [, address = '', prefix] = /^([0-9a-fA-F.:]+)\/(\d{1,3})$/.exec(value) ?? []
  if (Number(prefix) <= (addressBits[isIP(address)] ?? -1)) return value
  const [, host = '', port] = /^(.+):(\d{1,5})$/.exec(value) ?? []
  if (normalizeHost(host) !== null && Number(port) >= 1 && Number(port) <= 65_535) return value
  throw new Error('must list CIDRs such as 10.0.0.0/8, or hosts with a port such as files.lan:8080')
}

/** Items separated by commas; blank ones do not count. */
export function list<Item>(parse: Parse<Item>): Parse<readonly Item[]> {
  return (value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
      .map(parse)
}
