import { Agent, buildConnector, type Dispatcher } from 'undici'
import { Problem } from '../errors.ts'
import type { EgressGuard } from './guard.ts'
import { poolOfLines } from './lines.ts'
import { connectThrough } from './proxies.ts'
import type { ProxyServer, Route } from './routes.ts'
import { serverName, within } from './sockets.ts'

/** How connections are made. */
export interface DialerOptions {
  readonly connectTimeoutMs?: number
  readonly headersTimeoutMs?: number
  /** Longest silence in the middle of a body. */
  readonly bodyTimeoutMs?: number
  /** Whether certificates are verified. */
  readonly verifyTls?: boolean
  /** Whether connections are kept for the next request; they are unless said otherwise. */
  readonly isKept?: boolean
  /** The ways to every target, tried in this order; straight where none are given. */
  readonly routes?: readonly Route[]
}

type Connected = Parameters<buildConnector.Callback>[1] & {}
type Dial = (options: buildConnector.Options) => Promise<Connected>

/**
 * The one way out for HTTP: every connection, also each one that a redirect needs, asks the guard and goes to the address that it answers.
 * The name still stands in the Host header and is what a certificate must have.
 */
export function openDialer(guard: EgressGuard, options: DialerOptions = {}): Dispatcher {
  const { connectTimeoutMs = 10_000, headersTimeoutMs, bodyTimeoutMs, verifyTls = true, isKept = true, routes = ['direct'] } = options
  const connector = buildConnector({ timeout: connectTimeoutMs, rejectUnauthorized: verifyTls })
  const begin: Dial = (wanted) => new Promise((resolve, reject) => connector(wanted, (error, socket) => (error ? reject(error) : resolve(socket))))
  const straight = dialStraight(guard, begin, connectTimeoutMs)
  const bounds = { timeoutMs: connectTimeoutMs, verifyTls }
  const dials = routes.map((route) => (route === 'direct' ? straight : dialThrough(guard, begin, route, bounds)))
  const connect: buildConnector.connector = (wanted, done) => {
    firstThatWorks(dials, wanted).then((socket) => done(null, socket), (error: Error) => done(error, null))
  }
  return new Agent({
    connect, connections: 128, pipelining: isKept ? 1 : 0, factory: poolOfLines,
    ...(headersTimeoutMs === undefined ? {} : { headersTimeout: headersTimeoutMs }),
    ...(bodyTimeoutMs === undefined ? {} : { bodyTimeout: bodyTimeoutMs }),
  })
}

const portOf = ({ port, protocol }: buildConnector.Options): number => Number(port || (protocol === 'https:' ? 443 : 80))

function dialStraight(guard: EgressGuard, begin: Dial, timeoutMs: number): Dial {
  return async (wanted) => {
    const { hostname } = wanted
    const late = (): Problem => new Problem('target_timeout', `The name ${hostname} took too long to be resolved.`)
    const { address } = await within(timeoutMs, late, guard.admit(hostname, portOf(wanted)))
    return begin({ ...wanted, hostname: address, servername: wanted.servername ?? serverName(hostname) })
  }
}

function dialThrough(guard: EgressGuard, begin: Dial, proxy: ProxyServer, options: { timeoutMs: number; verifyTls: boolean }): Dial {
  return async (wanted) => {
    const socket = await connectThrough(guard, proxy, wanted.hostname, portOf(wanted), options)
    if (wanted.protocol !== 'https:') return socket
    return begin({ ...wanted, httpSocket: socket, servername: wanted.servername ?? serverName(wanted.hostname) })
  }
}

/** A way that is forbidden ends the attempt: what the guard refuses is not to be got around. */
async function firstThatWorks(dials: readonly Dial[], wanted: buildConnector.Options): Promise<Connected> {
  const [dial, ...others] = dials
  if (!dial) throw new Problem('target_failed', 'The PAC file names no way to the target that can be used.')
  try {
    return await dial(wanted)
  } catch (error) {
    if (others.length === 0 || (error instanceof Problem && error.code === 'target_forbidden')) throw error
    return firstThatWorks(others, wanted)
  }
}
