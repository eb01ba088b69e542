import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Certificate } from './certificate.ts'

/** A server on loopback that requests are sent to. */
export interface HttpTarget {
  readonly port: number
  readonly origin: string
  /** Every request so far, as `METHOD path`. */
  readonly seen: string[]
  /** The headers of the latest request. */
  readonly headers: IncomingMessage['headers']
  /** Connections made so far, and those that are open now. */
  readonly connections: number
  readonly open: number
  close(): Promise<void>
}

/** Opens a server that answers as it is told. */
export async function openTarget(answer: (request: IncomingMessage, response: ServerResponse) => void, certificate?: Certificate): Promise<HttpTarget> {
  const seen: string[] = []
  const sockets = new Set<Socket>()
  let headers: IncomingMessage['headers'] = {}
  let connections = 0
  const listen = (request: IncomingMessage, response: ServerResponse): void => {
    seen.push(`${request.method} ${request.url}`)
    headers = request.headers
    answer(request, response)
  }
  const server = certificate ? createTlsServer({ ...certificate }, listen) : createServer(listen)
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket)).on('error', () => undefined)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `http${certificate ? 's' : ''}://127.0.0.1:${port}`,
    seen,
    get headers() {
      return headers
    },
    get connections() {
      return connections
    },
    get open() {
      return sockets.size
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** The whole body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
