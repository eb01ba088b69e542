import { Problem } from '../../src/platform/errors.ts'
import type { Incoming } from '../../src/platform/egress/exchange.ts'
import type { Transport } from '../../src/platform/egress/transport.ts'
import { currentSpan, traceparentOf } from '../../src/platform/tracing.ts'
import { draftOf } from '../../src/services/almanac/fire.ts'
import type { RemoteRun } from '../../src/services/almanac/remoteRuns.ts'
import type { House } from '../../src/services/house.ts'
import { authorization, dispatchUrl, wordsOf } from './instance.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Asks another instance to run a query, and answers the id that it has there. */
export async function askInstance(house: House, transport: Transport, run: RemoteRun, signal: AbortSignal): Promise<string> {
  const url = dispatchUrl(run.sirpUrl)
  const span = currentSpan()
  const headers = {
    authorization: await authorization(house, url),
    'content-type': 'application/json',
    'idempotency-key': `schedule-${run.id}`,
    'x-request-id': `schedule-${run.id}`,
    ...(span ? { traceparent: traceparentOf(span.place) } : {}),
  }
  const body = JSON.stringify({ query: run.query, ...draftOf(run) })
  const answer = await transport.send({ method: 'POST', url: url.href, headers, body, followRedirects: false }, { signal })
  return acceptedId(url, answer)
}

async function acceptedId({ host }: URL, answer: Incoming): Promise<string> {
  const { id, code } = wordsOf(await answer.bytes(), 'id', 'code')
  if (answer.status === 200 || answer.status === 202) {
    if (uuid.test(id)) return id
    throw new Problem('target_unreadable', `${host} did not answer with the id of a query; is it an instance of this service?`)
  }
  const said = `${host} answered ${answer.status}${/^[a-z_]{1,60}$/.test(code) ? ` ${code}` : ''}`
  if (answer.status === 429 || answer.status >= 500) throw new Problem('target_status', `${said}; it may take the query later.`)
  throw new Problem('unprocessable', `${said}; check the address, its API key in the credential ${host}, and the query.`)
}
