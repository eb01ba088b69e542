import { Problem } from '../errors.ts'
import { signalOf } from '../stop.ts'
import { inSpan, type SpanStart } from '../tracing.ts'
import type { Answer } from './answer.ts'
import type { Incoming, Outgoing } from './exchange.ts'
import type { EgressGuard } from './guard.ts'
import { listHeaders, usualHeaders, type HeaderList } from './headers.ts'
import { dispatch, StaleLine, type HopHooks } from './hop.ts'
import { followRedirects, type Step } from './redirects.ts'
import { Ways } from './ways.ts'

/** Bounds and habits of outgoing requests. */
export interface TransportOptions {
  /** Longest body that is read, decoded. */
  readonly maxBytes: number
  /** Sent where a request names none. */
  readonly userAgent?: string
  readonly connectTimeoutMs?: number
  /** Longest wait for the headers of an answer, and longest silence in its body. */
  readonly headersTimeoutMs?: number
}

/** What a caller hears of a request, and how it holds it back. */
export interface SendHooks extends HopHooks {
  /** Awaited right before each request is written, for every redirect too; what it throws ends the request. */
  readonly beforeHop?: (url: URL) => Promise<void>
}

/** Sends HTTP requests: everything passes the guard, is bounded, and fails with a `Problem`. */
export interface Transport {
  send(request: Outgoing, hooks: SendHooks): Promise<Incoming>
  /** Ends all connections; requests under way fail. */
  close(): Promise<void>
}

const methodToken = /^[A-Z][A-Z-]{0,30}$/

/** Opens the way out for HTTP requests. */
export function openTransport(guard: EgressGuard, options: TransportOptions): Transport {
  const { maxBytes, userAgent = 'Quern', connectTimeoutMs = 10_000, headersTimeoutMs = 30_000 } = options
  const ways = new Ways(guard, { connectTimeoutMs, headersTimeoutMs, bodyTimeoutMs: headersTimeoutMs })
  const usual = usualHeaders(userAgent)

  const exchange = async (step: Step, { proxy, verifyTls = true }: Outgoing, hooks: SendHooks): Promise<Answer> => {
    for (let isKept = true; ;) {
      const way = proxy === undefined ? null : await ways.through(proxy, step.url, { verifyTls, isKept }, signalOf(hooks.signal))
      if (hooks.beforeHop) await hooks.beforeHop(step.url)
      try {
        const answer = await dispatch(way ? way() : ways.straight({ verifyTls, isKept }), step, hooks, maxBytes)
        if (answer) return answer
      } catch (error) {
        if (!(error instanceof StaleLine)) throw error
        isKept = false
      }
    }
  }

  return {
    async send(request, hooks) {
      const step = firstStep(guard, request, usual)
      return inSpan(step.method, () => startOf(step), async (span) => {
        const first = await exchange(step, request, hooks)
        const isLast = first.status < 300 || first.status > 399 || request.followRedirects === false
        const answer = isLast ? first : await followRedirects(guard, step, first, (next) => exchange(next, request, hooks))
        span?.tell({ 'http.response.status_code': answer.status })
        return answer
      })
    },
    close: () => ways.close(),
  }
}

/** The address of a request may hold secrets, so only its host is told. */
function startOf({ method, url }: Step): SpanStart {
  const port = url.port === '' ? {} : { 'server.port': Number(url.port) }
  return { kind: 'client', facts: { 'http.request.method': method, 'server.address': url.hostname, ...port } }
}

function firstStep(guard: EgressGuard, request: Outgoing, usual: HeaderList): Step {
  const method = request.method.toUpperCase()
  if (!methodToken.test(method) || method === 'CONNECT') {
    throw new Problem('unprocessable', 'The method must be a word such as GET or POST, and not CONNECT.')
  }
  return { method, url: guard.parseUrl(request.url), headers: listHeaders(request.headers, usual), body: request.body ?? null }
}
