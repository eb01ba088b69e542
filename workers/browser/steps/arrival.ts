import type { HTTPResponse, PuppeteerLifeCycleEvent } from 'puppeteer'
import { Problem } from '../../../src/platform/errors.ts'
import { describeRefusal } from '../forward.ts'
import type { Tab } from './tab.ts'

/** When a page counts as loaded. */
export type Ready = 'idle' | 'net2' | 'winload' | 'domload'

/** The same in the words of Puppeteer. */
export const readyEvents: Readonly<Record<Ready, PuppeteerLifeCycleEvent>> = {
  idle: 'networkidle0',
  net2: 'networkidle2',
  winload: 'load',
  domload: 'domcontentloaded',
}

const netError = /net::(ERR_\w+)/

/** The problem of a navigation that failed; errors of other kinds are given back as they are. */
export async function navigationProblem(tab: Tab, error: unknown): Promise<unknown> {
  if (error instanceof Problem || !(error instanceof Error)) return error
  const url = tab.documents.lastUrl
  if (error.name === 'TimeoutError') return new Problem('target_timeout', `${url} did not load within ${tab.navigationMs} ms.`)
  const name = netError.exec(error.message)?.[1]
  // A port that the browser itself does not open never came to our way out, which may have refused the host whatever its port.
  if (name === 'ERR_UNSAFE_PORT') await tab.visit.egress.judge(url)
  return name === undefined ? error : netProblem(tab, name)
}

/** The problem behind a network error of Chromium: what our own way out knows of it says more. */
export function netProblem({ visit: { egress }, documents: { lastUrl } }: Tab, name: string): Problem {
  const known = egress.problemOf(lastUrl)
  if (known) return new Problem(known.code, known.message, known.options)
  const code = name === 'ERR_TIMED_OUT' || name === 'ERR_CONNECTION_TIMED_OUT' ? 'target_timeout' : 'target_failed'
  return new Problem(code, `${lastUrl} cannot be loaded: ${meanings[name] ?? 'the browser reports an error'} (net::${name}).`)
}

const meanings: Readonly<Record<string, string>> = {
  ERR_ABORTED: 'it answers with a download or with nothing to show',
  ERR_NAME_NOT_RESOLVED: 'its name is not known',
  ERR_CONNECTION_REFUSED: 'it refuses connections',
  ERR_CONNECTION_RESET: 'it broke off the connection',
  ERR_CONNECTION_CLOSED: 'it closed the connection',
  ERR_EMPTY_RESPONSE: 'it answers nothing',
  ERR_INVALID_RESPONSE: 'its answer cannot be read',
  ERR_TOO_MANY_REDIRECTS: 'it redirects without end',
  ERR_UNSAFE_PORT: 'browsers do not open this port',
  ERR_TUNNEL_CONNECTION_FAILED: 'it cannot be reached',
  ERR_PROXY_CONNECTION_FAILED: 'it cannot be reached',
  ERR_SSL_PROTOCOL_ERROR: 'it does not speak TLS',
  ERR_CERT_AUTHORITY_INVALID: 'its certificate comes from an unknown authority',
  ERR_CERT_COMMON_NAME_INVALID: 'its certificate is for another name',
  ERR_CERT_DATE_INVALID: 'its certificate is out of date',
}

const brokenOff = describeRefusal(undefined)

/** Throws when the page that has come is not the target's, but what our own way out says in the place of it. */
export async function checkArrival(tab: Tab, response: HTTPResponse | null): Promise<void> {
  if (!response || (response.status() !== 403 && response.status() !== 502)) return
  const known = tab.visit.egress.problemOf(response.url())
  if (!known && (response.status() !== brokenOff.status || response.headers()['cache-control'] !== 'no-store')) return
  const text = await response.text().catch(() => '')
  if (known && text === known.message) throw new Problem(known.code, known.message, known.options)
  if (text === brokenOff.detail) throw new Problem('target_failed', `${response.url()} cannot be loaded: it broke off the connection.`)
}
