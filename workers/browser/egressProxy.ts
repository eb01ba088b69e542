import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { DialRules } from './dial.ts'
import { forward, headBytes } from './forward.ts'
import { Passage } from './passage.ts'
import { tunnel } from './tunnel.ts'

/** A passage with the address at which one browser context finds it. */
export interface OpenPassage {
  readonly passage: Passage
  /** The proxy setting of the context. */
  readonly proxyServer: string
  /** Ends the passage with all its connections. */
  close(): void
}

/** The proxy on loopback through which everything of a browser leaves. */
export interface EgressProxy {
  /** Opens a port of its own for a context, so that every connection is known by its job, service workers and sockets included. */
  open(): Promise<OpenPassage>
  /** How many passages are open. */
  readonly size: number
  close(): void
}

/** Opens the proxy; it listens on nothing until a passage is opened. */
export function openEgressProxy(rules: Omit<DialRules, 'isOwnPort'>): EgressProxy {
  const open = new Map<number, OpenPassage>()
  const owners = new WeakMap<Duplex, Passage>()
  const http = serveProxy((socket) => owners.get(socket))
  const openPassage = async (): Promise<OpenPassage> => {
    const passage = new Passage({ ...rules, isOwnPort: (port) => open.has(port) })
    const door = createServer({ noDelay: true }, (socket: Socket) => {
      owners.set(socket, passage)
      passage.track(socket)
      http.emit('connection', socket)
    })
    const port = await listen(door)
    const close = (): void => {
      open.delete(port)
      door.close()
      passage.end()
    }
    const opened = { passage, proxyServer: `http://127.0.0.1:${port}`, close }
    open.set(port, opened)
    return opened
  }
  return {
    open: openPassage,
    get size() {
      return open.size
    },
    close: () => [...open.values()].forEach(({ close }) => close()),
  }
}

/** A server without a port: connections are handed to it together with their owner. */
function serveProxy(ownerOf: (socket: Duplex) => Passage | undefined): Server {
  // A job has a deadline, so that its connections need none.
  const patient = { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0, connectionsCheckingInterval: 0x7fffffff }
  const http = createHttpServer({ maxHeaderSize: headBytes, ...patient })
  http.on('request', (request, response) => {
    const passage = ownerOf(request.socket)
    if (passage) forward(passage, request, response)
    else response.destroy()
  })
  http.on('connect', (request, client, head) => {
    const passage = ownerOf(client)
    if (passage) void tunnel(passage, request, client, head)
    else client.destroy()
  })
  http.on('clientError', (_error, socket) => socket.destroy())
  return http
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)) // a TCP server has such an address
  })
}
