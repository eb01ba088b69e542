import { isUtf8 } from 'node:buffer'
import { Problem } from '../errors.ts'
import type { Answer } from './answer.ts'
import { shown } from './failures.ts'
import type { EgressGuard } from './guard.ts'
import { withoutBody, withoutSecrets, type HeaderList } from './headers.ts'

/** A request as it is written to one server. */
export interface Step {
  readonly method: string
  readonly url: URL
  readonly headers: HeaderList
  readonly body: string | Uint8Array | null
}

const mostRedirects = 10
const redirecting = new Set([301, 302, 303, 307, 308])

/** Goes on from an answer that sends us to another address until one does not. */
export async function followRedirects(guard: EgressGuard, first: Step, answer: Answer, exchange: (step: Step) => Promise<Answer>): Promise<Answer> {
  const redirects = new Redirects(guard, first)
  for (let step = first, last = answer; ;) {
    const { location } = last.headers
    if (location === undefined || !redirecting.has(last.status)) return last
    last.discard()
    step = redirects.follow(step, last.status, location)
    last = await exchange(step)
  }
}

/** The addresses that a request went through. */
class Redirects {
  readonly #guard: EgressGuard
  readonly #seen: Set<string>
  #count = 0

  constructor(guard: EgressGuard, first: Step) {
    this.#guard = guard
    this.#seen = new Set([keyOf(first)])
  }

  /** The request that follows an answer with this status and location. */
  follow(step: Step, status: number, location: string): Step {
    const url = this.#target(step.url, location)
    // 303 asks for a GET; what 301 and 302 say is taken so for a POST only.
    const keepsBody = status === 307 || status === 308 || (status !== 303 && step.method !== 'POST')
    const method = keepsBody || step.method === 'HEAD' ? step.method : 'GET'
    const carried = url.origin === step.url.origin ? step.headers : withoutSecrets(step.headers)
    const next = keepsBody ? { method, url, headers: carried, body: step.body } : { method, url, headers: withoutBody(carried), body: null }
    this.#count += 1
    if (this.#count > mostRedirects) throw endless(`There are more than ${mostRedirects} redirects; the last leads to ${shown(url)}.`)
    if (this.#seen.has(keyOf(next))) throw endless(`The redirects go round in a circle; the last leads to ${shown(url)} again.`)
    this.#seen.add(keyOf(next))
    return next
  }

  #target(from: URL, location: string): URL {
    if (!URL.canParse(location, from.href)) throw new Problem('target_failed', `${shown(from)} redirects to something that is not an address.`)
    const url = this.#guard.parseUrl(new URL(asUtf8(location), from).href)
    // A fragment stays with the client, and is inherited by the target where it has none.
    if (url.hash === '') url.hash = from.hash
    return url
  }
}

const endless = (detail: string): Problem => new Problem('target_failed', detail)

/** Headers are read byte by byte; an address that was sent in UTF-8 as it stands is put together again. */
function asUtf8(location: string): string {
  if (!/[\x80-\xff]/.test(location)) return location
  const bytes = Buffer.from(location, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : location
}

const keyOf = ({ method, url }: Step): string => `${method} ${url.origin}${url.pathname}${url.search}`
