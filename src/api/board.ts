import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { KoaAdapter } from '@bull-board/koa'
import type { Queue } from 'bullmq'
import type { Context, Middleware, Next } from 'koa'
import { readBytes } from '../platform/arrival.ts'
import { Problem } from '../platform/errors.ts'
import type { Caller } from '../services/handler.ts'
import type { House } from '../services/house.ts'
import { queueNames } from '../services/jobs/queueCounts.ts'
import { queueOf } from '../services/queuesOf.ts'
import { authenticate, authorize } from './authenticate.ts'
import { beginSession, sessionOf } from './boardSession.ts'
import type { Edge } from './perform.ts'
import { signInPage, signInPolicy } from './signInPage.ts'

const boardPath = '/ops/queues'
const signInPath = '/ops/sign-in'

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'self'; form-action 'none'"

/** Bull Board at /ops/queues, for reading only, behind a key with the scope ops:read or a short session that such a key has begun. */
export function serveBoard(edge: Edge): Middleware {
  const { house } = edge
  const boardOf = keepBoard(house)
  return async (ctx: Context, next: Next): Promise<void> => {
    const isBoard = ctx.path === boardPath || ctx.path.startsWith(`${boardPath}/`)
    if (!isBoard && ctx.path !== signInPath) return next()
    ctx.state['operation'] = isBoard ? 'ops.board.read' : 'ops.session.begin'
    const visit = edge.admission.enter()
    try {
      if (!isBoard) return await signIn(edge, ctx)
      if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw new Problem('method_not_allowed', 'The board only shows; use the operations below /v1/jobs.', { headers: { Allow: 'GET, HEAD' } })
      const caller = await callerOf(edge, ctx)
      if (!caller) return showSignIn(ctx, 401, 'Sign in with an API key that has the scope <code>ops:read</code>.')
      visit.countFor(caller.keyId)
      authorize(caller, 'ops:read')
      if (house.redis.status !== 'ready') throw new Problem('unavailable', 'Redis is not reachable, so no queue can be shown now.', { retryAfterS: 1 })
      ctx.set('Content-Security-Policy', policy)
      await boardOf()(ctx, next)
    } finally {
      visit.leave()
    }
  }
}

/** Whoever sends the header is judged by it; a browser without one may have a session, and is else asked to begin one. */
async function callerOf(edge: Edge, ctx: Context): Promise<Caller | null> {
  const asksAsPage = ctx.get('Authorization') === '' && ctx.get('Accept').includes('text/html')
  const session = ctx.get('Authorization') === '' ? await sessionOf(edge.house, ctx) : null
  if (session || asksAsPage) return session
  return authenticate(ctx, edge.keys, edge.house.env.authScheme)
}

const maxFormBytes = 8_192

async function signIn({ house, keys }: Edge, ctx: Context): Promise<void> {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') return showSignIn(ctx, 200, 'Sign in with an API key that has the scope <code>ops:read</code>.')
  if (ctx.method !== 'POST') throw new Problem('method_not_allowed', 'This route knows GET, HEAD, POST.', { headers: { Allow: 'GET, HEAD, POST' } })
  if (!ctx.is('application/x-www-form-urlencoded')) throw new Problem('unsupported_media_type', 'Send the form as application/x-www-form-urlencoded.')
  const timeoutMs = house.env.bodyTimeoutMs
  const form = new URLSearchParams((await readBytes(ctx.req, { maxBytes: maxFormBytes, idleMs: timeoutMs, deadlineMs: timeoutMs })).toString())
  const key = form.get('key')?.trim() ?? ''
  const caller = key === '' || key.length > 1000 ? null : await keys.verify(key)
  if (!caller) return showSignIn(ctx, 401, 'The key is unknown, expired or withdrawn.')
  authorize(caller, 'ops:read')
  await beginSession(house, ctx, caller)
  ctx.redirect(boardPath)
  ctx.status = 303
}

function showSignIn(ctx: Context, status: 200 | 401, words: string): void {
  ctx.status = status
  ctx.set('Content-Security-Policy', signInPolicy)
  ctx.body = signInPage(words)
  ctx.type = 'text/html'
}

/** The board over the queues that the process has open; a restart opens others, and so the board is made anew. */
function keepBoard(house: House): () => Middleware {
  let shown: readonly Queue[] = []
  let board: Middleware | undefined
  return () => {
    const open = queueNames.map((name) => queueOf(house, name))
    if (!board || open.some((queue, at) => queue !== shown[at])) board = buildBoard((shown = open))
    return board
  }
}

function buildBoard(queues: readonly Queue[]): Middleware {
  const adapter = new KoaAdapter().setBasePath(boardPath)
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true, allowRetries: false })),
    serverAdapter: adapter,
    options: { uiConfig: { boardTitle: 'Quern queues', hideRedisDetails: true } },
  })
  return adapter.registerPlugin()
}
