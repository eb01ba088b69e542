import { flightBounds } from './bounds.ts'

/** What of a task may be a secret: headers, cookies, storages, what is typed into forms, and the password of a proxy. */
interface Telling {
  readonly headers?: Readonly<Record<string, string>>
  readonly cookieStorage?: Readonly<Record<string, { readonly value?: string }>>
  readonly localStorage?: Readonly<Record<string, unknown>>
  readonly sessionStorage?: Readonly<Record<string, unknown>>
  readonly selectorValuePairs?: readonly (readonly [string, string])[]
  readonly proxy?: string
}

/** The secrets in what a task was given; null where there are too many to look for. */
export function secretsIn(draft: Telling): string[] | null {
  const { headers = {}, cookieStorage = {}, localStorage = {}, sessionStorage = {}, selectorValuePairs = [], proxy } = draft
  const found = [
    ...Object.entries(headers).flatMap(([name, value]) => [value, ...(/auth/i.test(name) ? value.split(/\s+/).slice(1) : [])]),
    ...Object.values(cookieStorage).map(({ value = '' }) => value),
    ...[localStorage, sessionStorage].flatMap((storage) => Object.values(storage).flatMap(textsIn)),
    ...selectorValuePairs.map(([, value]) => value),
    ...(proxy === undefined ? [] : passwordOf(proxy)),
  ]
  return found.length > flightBounds.secrets ? null : found
}

/** A value and, where it is JSON, the texts inside. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn)
  const text = String(value)
  return /^[[{]/.test(text) ? [text, ...textsIn(parsed(text))] : [text]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return ''
  }
}

function passwordOf(proxy: string): string[] {
  const [, user = ''] = /^[^/]*\/\/([^@/]*)@/.exec(proxy) ?? []
  return user.split(':')
}
