import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A target site that notes when each request came, by path. */
export interface Observer {
  readonly url: string
  /** Times of the hits of a path, in milliseconds of a clock that never jumps. */
  hits(path?: string): readonly number[]
  close(): void
}

/** Starts a target on loopback that answers at once. */
export async function openObserver(): Promise<Observer> {
  const times = new Map<string, number[]>()
  const server = createServer(({ url = '/' }, response) => {
    times.set(url, [...(times.get(url) ?? []), performance.now()])
    response.end()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hits: (path = '/') => times.get(path) ?? [],
    close: () => server.close().closeAllConnections(),
  }
}

/** The greatest count of hits in any window of this length. */
export function mostWithin(hits: readonly number[], ms: number): number {
  const sorted = hits.toSorted((a, b) => a - b)
  return Math.max(0, ...sorted.map((from) => sorted.filter((hit) => hit >= from && hit < from + ms).length))
}
