import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Call } from '../../../src/client/index.ts'

/** A site with a policy of its own, which notes by its own clock when each request came. */
export interface TimedSite {
  readonly origin: string
  /** Milliseconds of a clock that never jumps, in order. */
  readonly hits: readonly number[]
}

/** Opens a site on a loopback address: each address is a domain of its own. */
export async function openTimedSite(address: string): Promise<TimedSite> {
  const hits: number[] = []
  const server = createServer((_request, response) => {
    hits.push(performance.now())
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}')
  })
  await new Promise<void>((listening) => server.listen(0, address, listening))
  onTestFinished(() => server.close().closeAllConnections())
  return { origin: `http://${address}:${(server.address() as AddressInfo).port}`, hits } // a TCP server has a port
}

/** Gives the domain of each of these origins a policy; answers their ids. */
export async function createPolicies(call: Call, origins: readonly string[], policy: Readonly<Record<string, number>>): Promise<string[]> {
  const ids: string[] = []
  for (const origin of origins) {
    const { hostname: domain } = new URL(origin)
    ids.push((await call('gonogo.policy.create', { body: { name: domain, domain, policy } })).id)
  }
  return ids
}
