import type { Socket } from 'node:net'
import { toProblem } from '../../src/platform/egress/failures.ts'
import type { EgressGuard } from '../../src/platform/egress/guard.ts'
import { connectThrough } from '../../src/platform/egress/proxies.ts'
import type { Route } from '../../src/platform/egress/routes.ts'
import { beginTcp, opened, within } from '../../src/platform/egress/sockets.ts'
import { Problem } from '../../src/platform/errors.ts'

/** What every connection of a worker's browsers obeys. */
export interface DialRules {
  readonly guard: EgressGuard
  /** Called before each connection; what it throws refuses that connection. */
  readonly onConnect?: ((token: string, host: string, port: number) => void | Promise<void>) | undefined
  readonly connectTimeoutMs?: number | undefined
  /** Whether a port of loopback is one of our own proxy's. */
  readonly isOwnPort: (port: number) => boolean
}

/** Connects to a host by the first route that works; one that is forbidden ends the attempt. */
export async function dialFirst(rules: DialRules, routes: readonly Route[], host: string, port: number): Promise<Socket> {
  const [route, ...others] = routes
  if (route === undefined) throw new Problem('target_failed', 'The PAC file names no way to the target that can be used.')
  try {
    return await dial(rules, route, host, port)
  } catch (error) {
    if (others.length === 0 || (error instanceof Problem && error.code === 'target_forbidden')) throw error
    return dialFirst(rules, others, host, port)
  }
}

async function dial(rules: DialRules, route: Route, host: string, port: number): Promise<Socket> {
  const { guard, connectTimeoutMs: timeoutMs = 10_000 } = rules
  if (route === 'direct') return dialStraight(rules, host, port, timeoutMs)
  await refuseOwn(rules, host, port)
  await refuseOwn(rules, route.host, route.port)
  return connectThrough(guard, route, host, port, { timeoutMs, verifyTls: true })
}

async function dialStraight(rules: DialRules, host: string, port: number, timeoutMs: number): Promise<Socket> {
  const late = (): Problem => new Problem('target_timeout', `${host}:${port} took too long to accept the connection.`)
  const place = await within(timeoutMs, late, rules.guard.admit(host, port))
  await refuseOwn(rules, place.address, port)
  const socket = beginTcp(place, port)
  try {
    await within(timeoutMs, late, opened(socket, 'connect'))
    return socket
  } catch (error) {
    socket.destroy()
    throw toProblem(error, `${host}:${port}`)
  }
}

/** A page that may reach loopback must not reach the way out of another job. */
async function refuseOwn({ guard, isOwnPort }: DialRules, host: string, port: number): Promise<void> {
  if (!isOwnPort(port)) return
  const { address } = await guard.admit(host, port)
  if (loopback.test(address)) throw new Problem('target_forbidden', `${host}:${port} is not open to queries.`)
}

const loopback = /^(127\.|::1$|::ffff:127\.|0\.0\.0\.0$|::$)/
