import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Certificate } from './certificate.ts'

/** What a proxy on loopback was asked for. */
export interface TestProxy {
  readonly port: number
  /** The targets, as they were asked for. */
  readonly asked: string[]
  /** The credentials, as they came. */
  readonly signIns: string[]
  close(): Promise<void>
}

/** How an HTTP proxy behaves. */
export interface HttpProxyOptions {
  readonly certificate?: Certificate
  /** What it answers instead of connecting. */
  readonly refuse?: string
}

/** Opens an HTTP proxy that knows CONNECT. */
export async function openHttpProxy({ certificate, refuse }: HttpProxyOptions = {}): Promise<TestProxy> {
  const [asked, signIns] = [[] as string[], [] as string[]]
  const sockets = new Set<Socket>()
  const server = certificate ? createTlsServer({ ...certificate }) : createServer()
  server.on('connection', (socket: Socket) => void sockets.add(socket))
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    asked.push(request.url ?? '')
    signIns.push(request.headers['proxy-authorization'] ?? '')
    if (refuse !== undefined) return void client.end(refuse)
    const { hostname, port } = new URL(`http://${request.url}`)
    const upstream = connect({ host: hostname, port: Number(port || 80) }, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      client.pipe(upstream).pipe(client)
    })
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy())
    client.on('error', () => upstream.destroy()).on('close', () => upstream.destroy())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const close = (): Promise<void> =>
    new Promise((closed) => {
      server.close(() => closed())
      for (const socket of sockets) socket.destroy()
    })
  return { port: (server.address() as AddressInfo).port, asked, signIns, close }
}
