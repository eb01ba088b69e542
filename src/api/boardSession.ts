import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Context } from 'koa'
import type { Caller } from '../services/handler.ts'
import type { House } from '../services/house.ts'

const cookieName = 'quern_ops'
const lifeMs = 15 * 60_000

/** Lets a browser that has shown a key come back without it for a quarter of an hour; the cookie holds the key's id, never the key. */
export async function beginSession(house: House, ctx: Context, { keyId }: Caller): Promise<void> {
  const expires = String(house.clock() + lifeMs)
  const value = [keyId, expires, await sign(house, keyId, expires)].join('.')
  ctx.cookies.set(cookieName, value, { httpOnly: true, sameSite: 'strict', path: '/ops', maxAge: lifeMs, secure: ctx.secure })
}

/** The caller behind the cookie, or null; a key that was deleted or has expired ends its sessions. */
export async function sessionOf(house: House, ctx: Context): Promise<Caller | null> {
  const [keyId, expires, signature] = (ctx.cookies.get(cookieName) ?? '').split('.')
  if (keyId === undefined || expires === undefined || signature === undefined) return null
  const right = Buffer.from(await sign(house, keyId, expires))
  const given = Buffer.from(signature)
  if (right.length !== given.length || !timingSafeEqual(right, given) || Number(expires) <= house.clock()) return null
  const row = await house.db.apiKey.findUnique({ where: { id: keyId } })
  const expiresAt = row?.expiresAt?.getTime() ?? null
  if (!row || (expiresAt !== null && expiresAt <= house.clock())) return null
  return { keyId, name: row.name, scopes: row.scopes, expiresAt }
}

async function sign(house: House, keyId: string, expires: string): Promise<string> {
  return createHmac('sha256', await house.vault.pepper()).update(`ops session ${keyId} ${expires}`).digest('base64url')
}
