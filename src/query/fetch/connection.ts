import { Problem } from '../../platform/errors.ts'
import { parseUrl } from '../../platform/hosts.ts'
import type { EachContext, ValuesOf } from '../command.ts'
import type { connectionFlags } from '../connectionFlags.ts'
import { applyCredential } from '../credentials/apply.ts'
import type { Outgoing } from '../outside.ts'
import type { Row } from '../rows.ts'
import { checkedValue, readHeaders } from './headers.ts'

/** The values of the flags that every command takes that sends a request. */
export type ConnectionFlags = ValuesOf<typeof connectionFlags>

/** A request before the connection flags have said how it identifies itself. */
export type Draft = Pick<Outgoing, 'method' | 'url' | 'headers' | 'body'>

/** Signs what it finds, and so comes behind all others. */
const signing = 'aws4'
const credentialFlags = (['oauth', 'custom', 'splunk', 'openai', 'pinecone', 'okta', 'gcp', signing] as const).map((type) => ({ type, flag: `credentials.${type}` as const }))

/** Makes a request ready to be sent: headers, credentials, proxy and the rest as the connection flags say; a header of the user's wins over one of the draft. */
export function prepare(draft: Draft, flags: ConnectionFlags, row: Row, context: EachContext): Outgoing | Promise<Outgoing> {
  const request = withConnection(draft, flags, row, context)
  return credentialFlags.some(({ flag }) => flags[flag] !== undefined) ? withCredentials(request, flags, context) : request
}

async function withCredentials(bare: Outgoing, flags: ConnectionFlags, context: EachContext): Promise<Outgoing> {
  let request = bare
  for (const { type, flag } of credentialFlags) {
    const name = flags[flag]
    if (name !== undefined) request = await applyCredential(await openCredential(type, name, context), request, context)
  }
  return request
}

/** The same request without anything that identifies the sender, for an address that the other side chose. */
export function prepareAnonymous(draft: Draft, flags: ConnectionFlags, row: Row, context: EachContext): Outgoing {
  const request = withConnection(draft, flags, row, context)
  const headers = Object.entries(request.headers ?? {}).filter(([name]) => harmless.has(name))
  return { ...request, headers: Object.fromEntries(headers) }
}

/** Headers that hold no secret; any other may be a key by another name. */
const harmless: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent'])

function withConnection({ method, url, headers, body }: Draft, flags: ConnectionFlags, row: Row, { lookup }: EachContext): Outgoing {
  const own = flags.headers?.(row, lookup)
  const all = new Map(headers || own ? [...readHeaders(headers), ...readHeaders(own)] : [])
  const useragent = flags.useragent?.(row, lookup)
  if (useragent) all.set('user-agent', checkedValue('user-agent', useragent))
  const bearer = flags.bearer?.(row, lookup)
  if (bearer) all.set('authorization', checkedValue('authorization', `Bearer ${bearer}`))
  const proxy = flags.proxy?.(row, lookup)
  return {
    method: method.toUpperCase(),
    url: readableUrl(url),
    ...(all.size === 0 ? {} : { headers: Object.fromEntries(all) }),
    followRedirects: flags.followRedirects,
    verifyTls: flags.verifySSL,
    ...(body === undefined ? {} : { body }),
    ...(proxy ? { proxy } : {}),
  }
}

async function openCredential(type: string, name: string, context: EachContext) {
  const credential = await context.outside.credential(name)
  if (credential.type === type) return credential
  throw new Problem('unprocessable', `--credentials.${type} names ${name}, which is a credential of the type ${credential.type}; use --credentials.${credential.type}.`)
}

/** The address as it is sent; a query string stays out of the message, because it may hold a secret. */
function readableUrl(text: string): string {
  const url = parseUrl(text)
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url.href
  const shown = JSON.stringify(text.split(/[?#]/)[0]?.slice(0, 100) ?? '')
  throw new Problem('unprocessable', `${shown} is not an address that can be asked: it must begin with http:// or https:// and name a host.`)
}
