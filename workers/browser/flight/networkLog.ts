import type { HTTPRequest, HTTPResponse, Page } from 'puppeteer'
import { flightBounds } from './bounds.ts'
import { cut } from './cut.ts'
import { Ring } from './ring.ts'

/** A request as it was seen; times are epoch milliseconds. */
export interface SeenRequest {
  readonly url: string
  readonly method: string
  readonly type: string
  readonly headers: Record<string, string>
  readonly startedAt: number
  answer?: { readonly at: number; readonly status: number; readonly statusText: string; readonly headers: Record<string, string> }
  endedAt?: number
  error?: string
}

/** Headers whose values are nobody's secret; all others are left out. */
const harmless = [
  'accept', 'accept-language', 'age', 'cache-control', 'content-encoding', 'content-length', 'content-type', 'date', 'location', 'origin',
  'range', 'referer', 'retry-after', 'server', 'transfer-encoding', 'vary', 'via', 'x-cache',
] as const

/** The last requests of a page with its frames; bodies and cookies are never looked at. */
export class NetworkLog {
  readonly #requests = new Ring<SeenRequest>(flightBounds.requests)
  readonly #open = new WeakMap<HTTPRequest, SeenRequest>()
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
    page.on('request', this.#onRequest)
    page.on('response', this.#onResponse)
    page.on('requestfinished', this.#onFinished)
    page.on('requestfailed', this.#onFailed)
  }

  get requests(): SeenRequest[] {
    return this.#requests.list()
  }

  /** Listens to the page no more. */
  end(): void {
    this.#page.off('request', this.#onRequest)
    this.#page.off('response', this.#onResponse)
    this.#page.off('requestfinished', this.#onFinished)
    this.#page.off('requestfailed', this.#onFailed)
  }

  readonly #onRequest = (request: HTTPRequest): void => {
    const url = request.url()
    if (/^(data|blob):/i.test(url)) return
    const seen = {
      url: cut(url, flightBounds.seenBytes),
      method: request.method(),
      type: request.resourceType(),
      headers: harmlessOf(request.headers()),
      startedAt: Date.now(),
    }
    this.#open.set(request, seen)
    this.#requests.add(seen)
  }

  readonly #onResponse = (response: HTTPResponse): void => {
    const seen = this.#open.get(response.request())
    if (!seen) return
    const [status, statusText] = [response.status(), cut(response.statusText(), 100)]
    seen.answer = { at: Date.now(), status, statusText, headers: harmlessOf(response.headers()) }
  }

  readonly #onFinished = (request: HTTPRequest): void => {
    const seen = this.#open.get(request)
    if (seen) seen.endedAt = Date.now()
  }

  readonly #onFailed = (request: HTTPRequest): void => {
    const seen = this.#open.get(request)
    if (seen) Object.assign(seen, { endedAt: Date.now(), error: cut(request.failure()?.errorText ?? 'failed', 200) })
  }
}

function harmlessOf(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of harmless) {
    const value = headers[name]
    if (value !== undefined) kept[name] = cut(value, flightBounds.headerBytes)
  }
  return kept
}
