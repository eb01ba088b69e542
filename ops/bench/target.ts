import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Starts a site on loopback that answers every request with a little JSON, after so long a time. */
export async function openTarget(delayMs: number): Promise<{ readonly url: string; close(): void }> {
  const body = JSON.stringify({ id: 7, name: 'Ada', price: 12.5, tags: ['a', 'b'] })
  const server = createServer((_request, response) => {
    const answer = (): void => void response.setHeader('content-type', 'application/json').end(body)
    if (delayMs > 0) setTimeout(answer, delayMs)
    else answer()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close().closeAllConnections() }
}
