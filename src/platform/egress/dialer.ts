import { Agent, buildConnector, type Dispatcher } from 'undici'
import type { EgressGuard } from './guard.ts'

/** How connections are made. */
export interface DialerOptions {
  readonly connectTimeoutMs?: number
  /** Whether certificates are verified. */
  readonly verifyTls?: boolean
}

/**
 * The one way out for HTTP: every connection, also each one that a redirect needs, asks the guard and goes to the address that it answers.
 * The name still stands in the Host header and is what a certificate must have.
 */
export function openDialer(guard: EgressGuard, { connectTimeoutMs = 10_000, verifyTls = true }: DialerOptions = {}): Dispatcher {
  const connector = buildConnector({ timeout: connectTimeoutMs, rejectUnauthorized: verifyTls })
  const connect: buildConnector.connector = (options, done) => {
    const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80))
    guard.admit(options.hostname, port).then(
      ({ address }) => connector({ ...options, hostname: address, servername: options.servername ?? serverName(options.hostname) }, done),
      (error: Error) => done(error, null),
    )
  }
  return new Agent({ connect, connections: 128, pipelining: 1 })
}

/** Addresses have no server name. */
const serverName = (hostname: string): string => (/^[\d.]+$|:/.test(hostname) ? '' : hostname)
