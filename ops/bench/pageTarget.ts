import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const items = Array.from({ length: 50 }, (_, index) => `<li><a class="item" href="/item/${index}">Item ${index}</a></li>`).join('')
const page = `<!doctype html><title>Shop</title><h1>Shop</h1><ul>${items}</ul>`

/** Serves the same small page at every address, on loopback. */
export async function openPageTarget(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close } // a TCP server has such an address
}
