import type { Context, Next } from 'koa'

/** Nothing may be framed, sniffed, run, shared or cached. */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const

const list = Object.entries(securityHeaders)

/** What every answer carries unless its route sets something of its own. */
export function setSecurityHeaders({ res }: Context, next: Next): Promise<void> {
  for (const [name, value] of list) res.setHeader(name, value)
  return next()
}
