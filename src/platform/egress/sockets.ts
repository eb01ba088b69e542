import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import type { Problem } from '../errors.ts'
import type { Destination } from './guard.ts'

/** Waits for a promise for a bounded time. */
export async function within<Value>(ms: number, late: () => Problem, promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const overdue = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms)
  })
  try {
    return await Promise.race([promise, overdue])
  } finally {
    clearTimeout(timer)
  }
}

/** Begins a connection to exactly this address. */
export function beginTcp({ address }: Destination, port: number): Socket {
  return connectTcp({ host: address, port, noDelay: true, keepAlive: true }).on('error', ignore)
}

/** Begins TLS over a connection. */
export function beginTls(socket: Socket, host: string, verifyTls: boolean): TLSSocket {
  const options = { socket, servername: serverName(host), host, rejectUnauthorized: verifyTls, ALPNProtocols: ['http/1.1'] }
  return connectTls(options).on('error', ignore)
}

/** The server name of a host for TLS; an address has none. */
export const serverName = (host: string): string => (/^[\d.]+$|:/.test(host) ? '' : host)

/** Waits until a connection is there. */
export function opened(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    const closed = (): void => reject(Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' }))
    socket.once('error', reject).once('close', closed)
    socket.once(event, () => {
      socket.off('error', reject).off('close', closed)
      resolve()
    })
  })
}

/** An error between two listeners must not end the process; whoever uses the socket next sees that it is closed. */
const ignore = (): void => undefined
