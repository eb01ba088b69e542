import type { Static } from 'typebox'
import type { ApiKey } from '../../contract/secrets/apiKeys.ts'
import { mayGrant, type Grant } from '../../contract/scopes.ts'
import { invalidField, Problem } from '../../platform/errors.ts'
import type { ApiKey as ApiKeyRow } from '../../platform/prisma/generated/client.ts'
import { change, notFound, orNotFound } from '../change.ts'
import type { Caller, HandlersOf } from '../handler.ts'
import type { House } from '../house.ts'
import { readPage } from '../paging.ts'
import { keyCheckOf } from './keyCheck.ts'
import { mintKey } from './mintKey.ts'

type Ids = 'secrets.apiKey.generate' | 'secrets.apiKey.verify' | 'secrets.apiKey.list' | 'secrets.apiKey.read' | 'secrets.apiKey.delete'

const noun = 'API key'

/** API keys: made, checked, listed and withdrawn. */
export function apiKeyHandlers(house: House): HandlersOf<Ids> {
  const { db } = house
  const keys = keyCheckOf(house)

  return {
    'secrets.apiKey.generate': async (request) => {
      const { name = 'API key', scopes = [...request.caller.scopes] } = request.body ?? {}
      const expiresAt = expiryOf(request.body?.expiresAt, house.clock()) ?? endOf(request.caller)
      checkGrants(request.caller, scopes)
      if (outlives(expiresAt, request.caller)) throw new Problem('forbidden', 'Your key expires, and cannot make one that lasts longer than itself.')
      const { id, key, lookup, hash } = await mintKey(house, request.newId)
      const row = await change(house, request, {
        target: id,
        // An idempotent repeat after a crash gets a fresh secret under the same id: the first one was never answered.
        write: (tx) =>
          tx.apiKey.upsert({
            where: { id },
            create: { id, lookup, hash, name, scopes, expiresAt },
            update: { hash },
          }),
      })
      return { ...present(row), key }
    },

    'secrets.apiKey.verify': async ({ body }) => {
      const caller = await keys.verify(body.key)
      return caller ? { valid: true, id: caller.keyId, name: caller.name, scopes: [...caller.scopes] } : { valid: false }
    },

    'secrets.apiKey.list': ({ query }) =>
      readPage(
        query,
        {
          rows: (window) => db.apiKey.findMany({ ...window, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] }),
          count: () => db.apiKey.count(),
        },
        present,
      ),

    'secrets.apiKey.read': async ({ params: { id } }) => present(orNotFound(await db.apiKey.findUnique({ where: { id } }), noun, id)),

    'secrets.apiKey.delete': async (request) => {
      const { id } = request.params
      await change(house, request, {
        target: id,
        write: async (tx) => {
          // The lock keeps two requests from deleting the last two admin keys at once.
          await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('quern first key'))`
          const [deleted] = await tx.$queryRaw<{ scopes: string[] }[]>`DELETE FROM api_keys WHERE id = ${id}::uuid RETURNING scopes`
          if (!deleted) throw notFound(noun, id)
          checkGrants(request.caller, deleted.scopes)
          const admins = await tx.apiKey.count({ where: { scopes: { has: 'admin' }, expiresAt: null } })
          if (admins === 0) throw new Problem('conflict', 'This is the last admin key that does not expire; generate another one first.')
          return undefined
        },
      })
      keys.forget()
      return undefined
    },
  }
}

/** A key makes and withdraws only keys that may do no more than itself. */
function checkGrants(caller: Caller, scopes: readonly string[]): void {
  const beyond = scopes.find((scope) => !mayGrant(caller.scopes, scope as Grant)) // keys are stored with checked scopes only
  if (beyond !== undefined) throw new Problem('forbidden', `Your key does not hold the scope ${beyond} itself.`, { extra: { scope: beyond } })
}

const endOf = ({ expiresAt }: Caller): Date | null => (expiresAt === null ? null : new Date(expiresAt))

const outlives = (expiresAt: Date | null, caller: Caller): boolean => caller.expiresAt !== null && (expiresAt === null || expiresAt.getTime() > caller.expiresAt)

/** The end of a key's life; the format also takes leap seconds and offsets into the year 10000, which no clock here can hold. */
function expiryOf(text: string | undefined, nowMs: number): Date | null {
  if (text === undefined) return null
  const date = new Date(text)
  if (date.getTime() > nowMs && date.getTime() < Date.UTC(10_000, 0)) return date
  throw invalidField('/expiresAt', 'must be after now and before the year 10000, without a leap second')
}

function present(row: ApiKeyRow): Static<typeof ApiKey> {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
