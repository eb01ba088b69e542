import { setMaxListeners } from 'node:events'
import type { Dispatcher } from 'undici'
import { Problem } from '../errors.ts'
import type { Stop } from '../stop.ts'
import { Answer } from './answer.ts'
import { ArrivingBody } from './body.ts'
import { endedConnection, toProblem } from './failures.ts'
import type { Line, LineOptions } from './lines.ts'
import type { Step } from './redirects.ts'

/** What a caller hears of a request under way. */
export interface HopHooks {
  readonly signal: Stop
  /** Longest wait for the headers of the answer, and longest silence in its body, where it is not the usual one. */
  readonly patienceMs?: number | undefined
  /** Called right before the first byte is written; `false` holds the request back, and it is asked for anew. */
  readonly sending?: (url: URL) => boolean
  /** Told the size of each piece of the body as it arrives, before it is decoded. */
  readonly received?: (bytes: number) => void
}

/** Methods that may be sent once more when nobody knows whether they arrived (RFC 9110, 9.2.2). */
const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE'])

/**
 * The server ended a connection that had been kept for the next request, while that request was on its way.
 * No server can tell us in time that it will, so this says nothing about the request: it is to be sent once more, on a connection of its own.
 */
export class StaleLine extends Problem {}

/** Thrown into undici, which then leaves the connection to the next request. */
const heldBack = new Error('The request was held back.')

/** Writes one request and answers as soon as the headers of its answer are there; null where `sending` held it back. */
export function dispatch(dispatcher: Dispatcher, step: Step, hooks: HopHooks, maxBytes: number): Promise<Answer | null> {
  return new Promise((resolve, reject) => {
    const { signal } = hooks
    if (signal.aborted) return reject(signal.reason)
    const hop = new Hop(step, hooks, maxBytes, { resolve, reject })
    // Any number of requests may be under way for one signal.
    if (signal instanceof AbortSignal) setMaxListeners(0, signal)
    signal.addEventListener('abort', hop)
    const { url, method, body } = step
    const headers = step.headers as string[] // undici only reads the list
    const patience = hooks.patienceMs === undefined ? {} : { headersTimeout: hooks.patienceMs, bodyTimeout: hooks.patienceMs }
    const options: LineOptions = { origin: url.origin, path: url.pathname + url.search, method, headers, body, rider: hop, ...patience }
    dispatcher.dispatch(options, hop)
  })
}

interface Settle {
  readonly resolve: (answer: Answer | null) => void
  readonly reject: (reason: unknown) => void
}

/** One request and its answer. */
class Hop implements Dispatcher.DispatchHandler {
  readonly #step: Step
  readonly #hooks: HopHooks
  readonly #maxBytes: number
  readonly #settle: Settle
  #controller: Dispatcher.DispatchController | null = null
  #body: ArrivingBody | null = null
  #line: Line | null = null
  /** On a line that was kept for it, and nothing of the answer has come. */
  #mayBeStale = false
  #sentAt = 0

  constructor(step: Step, hooks: HopHooks, maxBytes: number, settle: Settle) {
    this.#step = step
    this.#hooks = hooks
    this.#maxBytes = maxBytes
    this.#settle = settle
  }

  /** The signal was aborted. A request that still waits for its connection is dropped when undici comes to it. */
  handleEvent(): void {
    const reason: unknown = this.#hooks.signal.reason
    this.#finish()
    if (this.#body) this.#body.fail(reason)
    else this.#settle.reject(reason)
    this.#controller?.abort(heldBack)
  }

  board(line: Line): void {
    this.#line = line
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const { signal, sending } = this.#hooks
    if (signal.aborted || sending?.(this.#step.url) === false) throw heldBack
    this.#controller = controller
    this.#mayBeStale = this.#line?.hasAnswered === true && idempotent.has(this.#step.method)
    this.#sentAt = performance.now()
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Record<string, string | string[] | undefined>): void {
    this.#mayBeStale = false
    if (status < 200) return
    const { url } = this.#step
    const body = new ArrivingBody(controller, this.#maxBytes, url.host)
    this.#body = body
    const head = { status, url, headers: joined(headers), ms: performance.now() - this.#sentAt }
    this.#settle.resolve(new Answer(head, body, { maxBytes: this.#maxBytes, who: url.host }))
    if (Number(headers['content-length']) > this.#maxBytes && this.#step.method !== 'HEAD') body.refuse()
  }

  onResponseData(_: Dispatcher.DispatchController, part: Buffer): void {
    this.#hooks.received?.(part.length)
    this.#body?.take(part)
  }

  onResponseEnd(): void {
    this.#finish()
    this.#line?.answered()
    this.#body?.end()
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#finish()
    if (error === heldBack && !this.#body) return this.#settle.resolve(null)
    const problem = toProblem(error, placeOf(this.#step.url))
    if (this.#body) this.#body.fail(problem)
    else this.#settle.reject(this.#mayBeStale && endedConnection(error) ? new StaleLine(problem.code, problem.message, problem.options) : problem)
  }

  #finish(): void {
    this.#hooks.signal.removeEventListener('abort', this)
  }
}

const placeOf = ({ hostname, port, protocol }: URL): string => `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`

/** Several values of one name become one, in place: undici made this object for us alone. */
function joined(headers: Record<string, string | string[] | undefined>): Readonly<Record<string, string>> {
  for (const name in headers) {
    const value = headers[name]
    if (Array.isArray(value)) headers[name] = value.join(', ')
  }
  return headers as Record<string, string> // the lists are gone, and undici never sets undefined
}
