import Koa from 'koa'
import type { OperationId } from '../contract/index.ts'
import { isTracing } from '../platform/tracing.ts'
import type { House } from '../services/house.ts'
import { serviceHandlers } from '../services/index.ts'
import { keyCheckOf } from '../services/secrets/keyCheck.ts'
import { onRestart } from '../services/workers/components.ts'
import { Admission } from './admission.ts'
import { serveBoard } from './board.ts'
import { countRequests } from './countRequests.ts'
import { serveDocs } from './docs.ts'
import { systemHandlers, type Life } from './health.ts'
import type { AnyHandler } from './perform.ts'
import { answerProblems } from './problems.ts'
import { tellRequests } from './requestId.ts'
import { buildRouter, checkPath, refuseUnrouted } from './routes.ts'
import { setSecurityHeaders } from './securityHeaders.ts'
import { traceRequests } from './traceRequests.ts'

/** Puts the API together: the edge around the operation table. */
export function buildApp(house: House, life: Life, options: { checkAnswers?: boolean } = {}): Koa {
  const edge = {
    house,
    keys: keyCheckOf(house),
    admission: new Admission(house.env.maxRequests, house.env.maxRequestsPerKey),
    checkAnswers: options.checkAnswers ?? false,
  }
  onRestart(house, ['secrets'], () => edge.keys.forget())
  const handlers: Partial<Record<OperationId, AnyHandler>> = { ...serviceHandlers(house), ...systemHandlers(house, life) }
  const { router, serve, serveDirectly } = buildRouter(edge, handlers)
  const app = new Koa()
  app.silent = true // failures are answered and logged by answerProblems
  app.use(tellRequests(house.log))
  if (isTracing()) app.use(traceRequests)
  app.use(countRequests(house))
  app.use(setSecurityHeaders)
  app.use(answerProblems(house.log))
  app.use(checkPath)
  app.use(serveDirectly)
  app.use(refuseUnrouted(router))
  app.use(serveDocs())
  app.use(serveBoard(edge))
  app.use(serve)
  return app
}
