import type { Socket } from 'node:net'
import { Problem } from '../errors.ts'
import { toProblem } from './failures.ts'
import type { Destination, EgressGuard } from './guard.ts'
import { askForTunnel } from './httpTunnel.ts'
import type { ProxyServer } from './routes.ts'
import { beginTcp, beginTls, opened, within } from './sockets.ts'
import { askSocks } from './socksTunnel.ts'

/** Bounds of a connection through a proxy. */
export interface TunnelOptions {
  readonly timeoutMs: number
  /** Whether the certificate of an https proxy is verified. */
  readonly verifyTls: boolean
}

/** The sockets of an attempt, so that it can be given up as a whole. */
type Attempt = Socket[]

/**
 * Opens a plain connection to a target through a proxy. The guard admits both; the proxy is dialled at the address that the guard answered
 * and is asked for the address that the guard answered for the target. Failures say that it was the proxy and never show its credentials.
 */
export async function connectThrough(guard: EgressGuard, proxy: ProxyServer, host: string, port: number, options: TunnelOptions): Promise<Socket> {
  const attempt: Attempt = []
  const late = (): Problem => new Problem('target_timeout', `${nameOf(proxy)} took too long to open a connection to the target.`)
  try {
    const [place, target] = await within(options.timeoutMs, late, Promise.all([admitProxy(guard, proxy), guard.admit(host, port)]))
    return await within(options.timeoutMs, late, open(attempt, proxy, place, { target, port }, options))
  } catch (error) {
    for (const socket of attempt) socket.destroy()
    throw toProblem(error, nameOf(proxy))
  }
}

const nameOf = ({ host, port }: ProxyServer): string => `The proxy ${host}:${port}`

async function admitProxy(guard: EgressGuard, proxy: ProxyServer): Promise<Destination> {
  try {
    return await guard.admit(proxy.host, proxy.port)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem(error.code, `${nameOf(proxy)} cannot be used: ${error.message}`, { cause: error })
  }
}

interface Asked {
  readonly target: Destination
  readonly port: number
}

async function open(attempt: Attempt, proxy: ProxyServer, place: Destination, { target, port }: Asked, options: TunnelOptions): Promise<Socket> {
  const plain = beginTcp(place, proxy.port)
  attempt.push(plain)
  await opened(plain, 'connect')
  if (proxy.kind === 'socks4' || proxy.kind === 'socks5') {
    await askSocks(plain, proxy, target, port, options.timeoutMs)
    return plain
  }
  const socket = proxy.kind === 'https' ? await secured(attempt, plain, proxy, options.verifyTls) : plain
  await askForTunnel(socket, proxy, target, port)
  return socket
}

async function secured(attempt: Attempt, plain: Socket, proxy: ProxyServer, verifyTls: boolean): Promise<Socket> {
  const secure = beginTls(plain, proxy.host, verifyTls)
  attempt.push(secure)
  await opened(secure, 'secureConnect')
  return secure
}
