import { Problem } from '../../src/platform/errors.ts'
import type { House } from '../../src/services/house.ts'
import { openCredential } from '../../src/services/secrets/openCredential.ts'

const dispatchPath = '/v1/sirp/query/runner/dispatch'

/** Where another instance takes queries; it may live under a path of its host. */
export const dispatchUrl = (sirpUrl: string): URL => urlOn(sirpUrl, dispatchPath)

/** Where another instance tells the state of a query. */
export const statusUrl = (sirpUrl: string, queryId: string): URL => urlOn(sirpUrl, `/v1/sirp/query/${queryId}/status`)

function urlOn(sirpUrl: string, path: string): URL {
  const url = new URL(sirpUrl)
  const base = url.pathname.replace(/\/+$/, '')
  url.pathname = `${base.endsWith(dispatchPath) ? base.slice(0, -dispatchPath.length) : base}${path}`
  url.search = ''
  url.hash = ''
  return url
}

/** The key of an instance lies in the credential that is named like its host. */
export async function authorization(house: House, { host }: URL): Promise<string> {
  const { type, values } = await openCredential(house, host)
  const { value } = values
  if (type !== 'custom' || typeof value !== 'string') {
    throw new Problem('unprocessable', `The credential ${host} must be of the type custom, with the API key as its value.`)
  }
  return value.includes(' ') ? value : `${house.env.authScheme} ${value}`
}

/** Some words of whatever came back, in so far as it is an answer of this service; a word that is not there is empty. */
export function wordsOf<const Names extends readonly string[]>(bytes: Buffer, ...names: Names): Record<Names[number], string> {
  const found = jsonOf(bytes)
  const entries = names.map((name) => [name, typeof found[name] === 'string' ? found[name] : ''])
  return Object.fromEntries(entries) as Record<Names[number], string> // every name has its entry
}

function jsonOf(bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
