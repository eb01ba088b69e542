import { Problem } from '../../src/platform/errors.ts'
import type { Incoming } from '../../src/platform/egress/exchange.ts'
import type { Transport } from '../../src/platform/egress/transport.ts'
import { draftOf } from '../../src/services/almanac/fire.ts'
import type { RemoteRun } from '../../src/services/almanac/remoteRuns.ts'
import type { House } from '../../src/services/house.ts'
import { openCredential } from '../../src/services/secrets/openCredential.ts'

const dispatchPath = '/v1/sirp/query/runner/dispatch'
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Asks another instance to run a query, and answers the id that it has there. */
export async function askInstance(house: House, transport: Transport, run: RemoteRun, signal: AbortSignal): Promise<string> {
  const url = dispatchUrl(run.sirpUrl)
  const headers = {
    authorization: await authorization(house, url),
    'content-type': 'application/json',
    'idempotency-key': `schedule-${run.id}`,
    'x-request-id': `schedule-${run.id}`,
  }
  const body = JSON.stringify({ query: run.query, ...draftOf(run) })
  const answer = await transport.send({ method: 'POST', url: url.href, headers, body, followRedirects: false }, { signal })
  return acceptedId(url, answer)
}

/** An instance may live under a path of its host. */
function dispatchUrl(sirpUrl: string): URL {
  const url = new URL(sirpUrl)
  const base = url.pathname.replace(/\/+$/, '')
  url.pathname = base.endsWith(dispatchPath) ? base : `${base}${dispatchPath}`
  url.search = ''
  url.hash = ''
  return url
}

/** The key of an instance lies in the credential that is named like its host. */
async function authorization(house: House, { host }: URL): Promise<string> {
  const { type, values } = await openCredential(house, host)
  const { value } = values
  if (type !== 'custom' || typeof value !== 'string') {
    throw new Problem('unprocessable', `The credential ${host} must be of the type custom, with the API key as its value.`)
  }
  return value.includes(' ') ? value : `${house.env.authScheme} ${value}`
}

async function acceptedId({ host }: URL, answer: Incoming): Promise<string> {
  const { id, code } = wordsOf(await answer.bytes())
  if (answer.status === 200 || answer.status === 202) {
    if (uuid.test(id)) return id
    throw new Problem('target_unreadable', `${host} did not answer with the id of a query; is it an instance of this service?`)
  }
  const said = `${host} answered ${answer.status}${/^[a-z_]{1,60}$/.test(code) ? ` ${code}` : ''}`
  if (answer.status === 429 || answer.status >= 500) throw new Problem('target_status', `${said}; it may take the query later.`)
  throw new Problem('unprocessable', `${said}; check the address, its API key in the credential ${host}, and the query.`)
}

/** Whatever came back, in so far as it is an answer of this service. */
function wordsOf(bytes: Buffer): { id: string; code: string } {
  try {
    const { id, code } = JSON.parse(bytes.toString()) as { id?: unknown; code?: unknown }
    return { id: typeof id === 'string' ? id : '', code: typeof code === 'string' ? code : '' }
  } catch {
    return { id: '', code: '' }
  }
}
