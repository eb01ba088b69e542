import type { Transport } from '../../src/platform/egress/transport.ts'
import { isUnavailable } from '../../src/platform/prisma/failures.ts'
import { noteState, takeLooks, type RemoteQuery } from '../../src/services/almanac/remoteQueries.ts'
import type { House } from '../../src/services/house.ts'
import { authorization, statusUrl, wordsOf } from './instance.ts'

const everyMs = 1_000
/** How long an instance may take to tell the state of a query. */
const patienceMs = 10_000

const live: readonly string[] = ['queued', 'running']
const ended: readonly string[] = ['completed', 'failed', 'cancelled', 'expired']

/** Asks other instances, again and again, what has become of the queries that schedules have dispatched to them; answers how to end it. */
export function startFollowing(house: House, transport: Transport): () => Promise<void> {
  const ending = new AbortController()
  let busy: Promise<void> | undefined
  const timer = setInterval(() => {
    busy ??= lookAtRemote(house, transport, ending.signal)
      .catch((err: unknown) => house.log[isUnavailable(err) ? 'debug' : 'warn']({ err }, 'queries of other instances were not looked at'))
      .finally(() => (busy = undefined))
  }, everyMs)
  return async () => {
    clearInterval(timer)
    ending.abort()
    await busy
  }
}

/** Asks for every query that is to be asked for now. */
export async function lookAtRemote(house: House, transport: Transport, signal: AbortSignal): Promise<void> {
  await Promise.all((await takeLooks(house)).map((query) => lookAt(house, transport, query, signal)))
}

/** What cannot be learned now may be learned the next time; a run that stays silent is given up by the tick. */
async function lookAt(house: House, transport: Transport, query: RemoteQuery, signal: AbortSignal): Promise<void> {
  const status = await askStatus(house, transport, query, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])).catch((err: unknown) => {
    house.log.debug({ err, queryId: query.queryId }, 'another instance does not tell the state of a query')
    return null
  })
  if (status !== null) await noteState(house, query.runId, status, !live.includes(status))
}

/** The state of a query, `deleted` where it is gone, or null where the answer says nothing of it. */
async function askStatus(house: House, transport: Transport, { queryId, sirpUrl }: RemoteQuery, signal: AbortSignal): Promise<string | null> {
  const url = statusUrl(sirpUrl, queryId)
  const headers = { authorization: await authorization(house, url) }
  const answer = await transport.send({ method: 'GET', url: url.href, headers, followRedirects: false }, { signal })
  const { status, code } = wordsOf(await answer.bytes(), 'status', 'code')
  if (answer.status === 404 && code === 'not_found') return 'deleted'
  return answer.status === 200 && [...live, ...ended].includes(status) ? status : null
}
