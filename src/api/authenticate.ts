import type { Context } from 'koa'
import { allows, type Scope } from '../contract/scopes.ts'
import { Problem } from '../platform/errors.ts'
import type { Caller } from '../services/handler.ts'
import type { KeyCheck } from '../services/secrets/keyCheck.ts'

/** Finds the caller behind the Authorization header; every route of the table goes through here unless it is public. */
export async function authenticate(ctx: Context, keys: KeyCheck, scheme: string): Promise<Caller> {
  const refuse = (detail: string): Problem => new Problem('unauthorized', detail, { headers: { 'WWW-Authenticate': scheme } })
  const header = ctx.get('Authorization')
  const [, word, key] = /^(\S+) +(\S+) *$/.exec(header) ?? []
  if (header === '') throw refuse(`Send your API key as: Authorization: ${scheme} <API_KEY>`)
  if (word?.toLowerCase() !== scheme.toLowerCase() || key === undefined || key.length > 1000) {
    throw refuse(`The Authorization header must read: ${scheme} <API_KEY>`)
  }
  const caller = await keys.verify(key)
  if (!caller) throw refuse('The API key is unknown, expired or withdrawn.')
  ctx.state['keyId'] = caller.keyId
  return caller
}

/** Whether a caller may use an operation only for what its own key has started; refuses one whose key does not hold the scope at all. */
export function isLimitedToOwn(caller: Caller, scope: Scope, ownScope: Scope | undefined): boolean {
  if (allows(caller.scopes, scope)) return false
  if (ownScope === undefined || !allows(caller.scopes, ownScope)) authorize(caller, scope)
  return true
}

/** Refuses a caller whose key does not hold the scope. */
export function authorize(caller: Caller, scope: Scope): void {
  if (!allows(caller.scopes, scope)) throw new Problem('forbidden', `This needs a key with the scope ${scope}.`, { extra: { scope } })
}
