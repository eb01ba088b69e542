import Router, { type RouterContext } from '@koa/router'
import type { Context, Middleware, Next } from 'koa'
import { operationList, type OperationId } from '../contract/index.ts'
import { Problem } from '../platform/errors.ts'
import { performer, type AnyHandler, type Edge } from './perform.ts'

/** Static steps before parameters, so that `/credentials/schemas` is not taken for a credential's name. */
const specificity = (path: string): string => path.replaceAll(':', '\uffff')

/** The router of the whole table, case-sensitive and strict, and to be put before all other routes a shorter way to paths that have no parameter. */
export function buildRouter(edge: Edge, handlers: Partial<Record<OperationId, AnyHandler>>): { router: Router; serve: Middleware; serveDirectly: Middleware } {
  const router = new Router({ sensitive: true, strict: true })
  const direct = new Map<string, (ctx: Context) => Promise<void>>()
  const sorted = operationList.toSorted(([, a], [, b]) => (specificity(a.path) < specificity(b.path) ? -1 : 1))
  for (const [id, operation] of sorted) {
    const perform = performer(edge, id, operation, handlers[id])
    router.register(operation.path, [operation.method], (ctx: RouterContext) => perform(ctx), { name: id })
    if (!operation.path.includes(':')) direct.set(`${operation.method} ${operation.path}`, perform)
  }
  const routed = router.routes() as unknown as Middleware // the router adds its own members to the context
  // The router tries its patterns one after the other, which is a good part of what a short request costs.
  const serveDirectly: Middleware = (ctx, next) => direct.get(`${ctx.req.method} ${ctx.path}`)?.(ctx) ?? next()
  return { router, serve: routed, serveDirectly }
}

/** What no route took: 405 with `Allow` where the path exists, 404 otherwise. */
export function refuseUnrouted(router: Router) {
  return async (ctx: Context, next: Next): Promise<void> => {
    await next()
    if (ctx.status !== 404 || ctx.body || ctx.state['operation'] !== undefined) return
    const methods = new Set(router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods))
    if (methods.size === 0) throw new Problem('not_found', `There is no route ${ctx.method} ${ctx.path.slice(0, 200)}.`)
    const allow = [...methods].toSorted().join(', ')
    throw new Problem('method_not_allowed', `This route knows ${allow}.`, { headers: { Allow: allow } })
  }
}

/** An address in which nothing can be hidden. */
const plainAddress = /^\/[\w\-./~?=&:,@+]*$/

/** Refuses an address that is no path, is not valid percent-encoded UTF-8, or hides a NUL; and HTTP/1.1 without a host. */
export function checkPath(ctx: Context, next: Next): Promise<void> {
  if (ctx.req.headers.host === undefined && ctx.req.httpVersion === '1.1') throw new Problem('bad_request', 'HTTP/1.1 needs the header Host.')
  if (plainAddress.test(ctx.req.url ?? '')) return next()
  const decoded = decodeAddress(ctx)
  if (decoded === null) throw new Problem('bad_request', 'The address is not a path in valid percent-encoded UTF-8.')
  if (decoded.includes('\0')) throw new Problem('bad_request', 'The address must not hold the character NUL.')
  return next()
}

/** The path and the query as text, or null where they are none; reading the path fails too where the request line holds a broken URL. */
function decodeAddress(ctx: Context): string | null {
  try {
    return ctx.path.startsWith('/') ? decodeURIComponent(ctx.path) + decodeURIComponent(ctx.querystring) : null
  } catch {
    return null
  }
}
