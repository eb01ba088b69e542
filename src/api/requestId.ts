import type { Context, Next } from 'koa'
import { newId } from '../platform/ids.ts'
import type { Logger } from '../platform/logger.ts'
import type { Problem } from '../platform/errors.ts'

/** Echoes or makes the request id, and writes one log line for each request. */
export function tellRequests(log: Logger) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const given = ctx.req.headers['x-request-id']
    const requestId = typeof given === 'string' && /^[\x21-\x7e]{1,128}$/.test(given) ? given : newId()
    ctx.state['requestId'] = requestId
    ctx.res.setHeader('X-Request-Id', requestId)
    const started = performance.now()
    await next()
    const problem = ctx.state['problem'] as Problem | undefined
    log.info(
      {
        requestId,
        operation: ctx.state['operation'] as string | undefined,
        method: ctx.method,
        status: ctx.status,
        ms: Math.round((performance.now() - started) * 10) / 10,
        keyId: ctx.state['keyId'] as string | undefined,
        traceId: ctx.state['traceId'] as string | undefined,
        ...(problem ? { code: problem.code } : {}),
      },
      'request',
    )
  }
}
