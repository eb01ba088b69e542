import type { Context, Next } from 'koa'

const headers = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const

/** What every answer carries unless its route sets something of its own: nothing may be framed, sniffed, run or cached. */
export async function setSecurityHeaders(ctx: Context, next: Next): Promise<void> {
  ctx.set(headers)
  await next()
}
