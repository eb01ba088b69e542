import type { Context } from 'koa'
import type { Operation } from '../contract/define.ts'
import type { OperationId } from '../contract/index.ts'
import { invalid, Problem, type Fault } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import { isReadySoon } from '../platform/redis.ts'
import { auditEntry } from '../services/change.ts'
import { Accepted, Download, WithStatus, type Caller, type RequestFacts } from '../services/handler.ts'
import type { House } from '../services/house.ts'
import { engineOf } from '../services/notBuilt.ts'
import type { KeyCheck } from '../services/secrets/keyCheck.ts'
import type { Admission } from './admission.ts'
import { authenticate, isLimitedToOwn } from './authenticate.ts'
import { fingerprintOf, onlyOnce, type KeptAnswer } from './idempotency.ts'
import { inputReader, type Input } from './input/read.ts'
import { preferencesOf } from './prefer.ts'
import { answer } from './reply.ts'
import { mayRunTwice, withSecondTry } from './secondTry.ts'
import { compileCheck } from './input/validate.ts'

/** What the edge knows of a handler: checked input in, an answer out. */
export type AnyHandler = (request: never) => Promise<unknown>

/** What the edge works with. */
export interface Edge {
  readonly house: House
  readonly keys: KeyCheck
  readonly admission: Admission
  /** Also check answers against their schemas; the tests do. */
  readonly checkAnswers: boolean
}

const nobody: Caller = { keyId: '', name: 'nobody', scopes: [], expiresAt: null }

/** Makes the Koa handler of one operation: authenticate, admit, read, check, run once, answer. */
export function performer(edge: Edge, id: OperationId, operation: Operation, handler: AnyHandler | undefined) {
  const read = inputReader(operation, edge.house.env.bodyTimeoutMs)
  const { body, accepted } = operation.reply
  const checkAnswer = edge.checkAnswers && body ? compileCheck(body) : undefined
  const checkAccepted = edge.checkAnswers && accepted ? compileCheck(accepted.body) : undefined
  const faultsOf = (result: unknown): readonly Fault[] => {
    if (result instanceof Download) return []
    if (result instanceof Accepted) return checkAccepted?.(result.body) ?? []
    return checkAnswer?.(result instanceof WithStatus ? result.body : result) ?? []
  }

  const runOn = async (ctx: Context, facts: RequestFacts, input: Input): Promise<void> => {
    if (!handler) throw new Problem('not_built', `${id} comes with ${engineOf(id) ?? 'a later version'}, which this version does not have yet.`)
    const result = await handler(Object.assign(facts, input) as never) // the reader has checked the input against this operation's schemas
    const faults = faultsOf(result)
    if (faults.length > 0) throw new Error(`${id} answers what its schema does not allow: ${JSON.stringify(faults)}`)
    await answer(ctx, operation, result)
  }
  const runAgain = (ctx: Context, facts: RequestFacts, input: Input): Promise<void> =>
    withSecondTry((isSecond) => runOn(ctx, isSecond ? { ...facts, repeatable: true } : facts, input))
  const run = mayRunTwice(operation) ? runAgain : runOn

  return async (ctx: Context): Promise<void> => {
    ctx.state['operation'] = id
    if (operation.scope === 'public') return run(ctx, factsOf(ctx, id, nobody), await read(ctx))
    const visit = edge.admission.enter()
    try {
      const caller = await authenticate(ctx, edge.keys, edge.house.env.authScheme)
      visit.countFor(caller.keyId)
      const ownOnly = await permit(edge, ctx, id, operation, caller)
      if (operation.startsWork) await needRedis(edge.house)
      const facts = factsOf(ctx, id, caller, ownOnly)
      const key = idempotencyKeyOf(ctx, operation)
      const input = await read(ctx)
      if (key === null) await run(ctx, facts, input)
      else await runOnce(edge, ctx, facts, input, key, run)
    } finally {
      visit.leave()
    }
  }
}

/** Without Redis nothing can be carried to a worker, and so nothing more is taken on. */
async function needRedis({ redis }: House): Promise<void> {
  if (!(await isReadySoon(redis))) throw new Problem('unavailable', 'Redis is not reachable, so no work can be started now.', { retryAfterS: 1 })
}

/** Answers whether the caller is limited to what its own key has started. A refused change is worth an entry in the audit log: somebody tried what their key does not allow. */
async function permit({ house }: Edge, ctx: Context, id: OperationId, operation: Operation, caller: Caller): Promise<boolean> {
  if (operation.scope === 'public') return false
  try {
    return isLimitedToOwn(caller, operation.scope, operation.ownScope)
  } catch (error) {
    if (operation.method !== 'GET' && !operation.pure) {
      await house.db.auditEntry.create({ data: auditEntry(factsOf(ctx, id, caller), ctx.path.slice(0, 1000), 'forbidden'), select: { seq: true } })
    }
    throw error
  }
}

function factsOf(ctx: Context, operation: OperationId, caller: Caller, ownOnly = false): RequestFacts {
  return {
    operation,
    caller,
    ownOnly,
    requestId: String(ctx.state['requestId']),
    address: ctx.ip,
    newId: String(ctx.state['workId'] ?? newId()),
    repeatable: false,
    ifMatch: ifMatchOf(ctx),
    prefer: preferencesOf(ctx.get('Prefer')),
    upload: ctx.req,
  }
}

/** `If-Match: "3"` asks for version 3; any other tag than ours can match nothing. */
function ifMatchOf(ctx: Context): number | undefined {
  const header = ctx.get('If-Match').trim()
  if (header === '' || header === '*') return undefined
  const version = /^"(\d{1,9})"$/.exec(header)?.[1]
  if (version === undefined) throw new Problem('precondition_failed', 'If-Match must be the ETag of a read, such as "3".')
  return Number(version)
}

function idempotencyKeyOf(ctx: Context, operation: Operation): string | null {
  const key = ctx.get('Idempotency-Key')
  if (key === '' || operation.method !== 'POST' || operation.pure || operation.form) return null
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) throw invalid([{ in: 'header', path: '/Idempotency-Key', message: 'must have 1 to 255 printable characters' }])
  return key
}

async function runOnce(
  { house }: Edge, ctx: Context, facts: RequestFacts, input: Input, key: string,
  run: (ctx: Context, facts: RequestFacts, input: Input) => Promise<void>,
): Promise<void> {
  const fingerprint = fingerprintOf(ctx.method, ctx.url, input.body)
  const kept = await onlyOnce({ house, caller: facts.caller, key, fingerprint }, async (workId): Promise<KeptAnswer> => {
    await run(ctx, { ...facts, newId: workId, repeatable: true }, input)
    const headers = Object.fromEntries(['Location', 'ETag', 'Content-Type'].map((name) => [name, ctx.response.get(name)]).filter(([, value]) => value))
    return { status: ctx.status, headers, body: String(ctx.body ?? '') }
  })
  ctx.status = kept.status
  ctx.set(kept.headers)
  ctx.body = kept.body === '' ? null : kept.body
}
