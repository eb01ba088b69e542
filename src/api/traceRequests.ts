import type { Context, Next } from 'koa'
import { operationList } from '../contract/index.ts'
import type { Problem } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import { inSpan, placeOf, readTraceparent, type Span, type SpanStart } from '../platform/tracing.ts'

const routes: ReadonlyMap<string, string> = new Map(operationList.map(([id, { path }]) => [id, path]))

/** Asked every few seconds by whoever watches a process, and of no interest. */
const unheeded: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

/**
 * Tells every request as a span: below that of its caller where the caller names one. Otherwise what the request starts gets an id that
 * is that of the trace too, so that all that becomes of it stands in one trace.
 */
export async function traceRequests(ctx: Context, next: Next): Promise<void> {
  if (unheeded.has(ctx.path)) return next()
  await inSpan(ctx.method, () => startOf(ctx), async (span) => {
    ctx.state['traceId'] = span?.place.traceId
    await next()
    if (span) tell(span, ctx)
  })
}

function startOf(ctx: Context): SpanStart {
  const facts = { 'http.request.method': ctx.method, 'quern.request_id': String(ctx.state['requestId']) }
  const caller = readTraceparent(ctx.get('traceparent'))
  if (caller) return { kind: 'server', facts, parent: caller }
  const workId = newId()
  ctx.state['workId'] = workId
  const place = placeOf(workId)
  return { kind: 'server', facts, parent: null, ...(place ? { place: { traceId: place.traceId } } : {}) }
}

function tell(span: Span, { method, status, state }: Context): void {
  const operation = state['operation'] as string | undefined
  const route = operation === undefined ? undefined : routes.get(operation)
  if (route !== undefined) span.rename(`${method} ${route}`)
  const problem = state['problem'] as Problem | undefined
  span.tell({
    'http.response.status_code': status,
    ...(route === undefined ? {} : { 'http.route': route }),
    ...(operation === undefined ? {} : { 'quern.operation': operation }),
  })
  if (problem && status >= 500) span.fail(problem.code)
}
