import { isIPv6, type Socket } from 'node:net'
import { Problem } from '../errors.ts'
import type { Destination } from './guard.ts'
import type { ProxyServer } from './routes.ts'

const mostHeaderBytes = 16_384

/** Asks an HTTP proxy, by CONNECT, for a connection to exactly this address. */
export async function askForTunnel(socket: Socket, proxy: ProxyServer, { address }: Destination, port: number): Promise<void> {
  const place = `${isIPv6(address) ? `[${address}]` : address}:${port}`
  const answer = readHead(socket)
  socket.write(`CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n${authorization(proxy)}\r\n`)
  const head = await answer
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(head.split('\r\n', 1)[0] ?? '')?.[1])
  if (!(status >= 200 && status < 300)) throw new Problem('target_failed', refusal(proxy, status))
}

function authorization({ user, password }: ProxyServer): string {
  if (user === '' && password === '') return ''
  return `Proxy-Authorization: Basic ${Buffer.from(`${user}:${password}`).toString('base64')}\r\n`
}

function refusal({ host, port }: ProxyServer, status: number): string {
  if (status === 407) return `The proxy ${host}:${port} wants other credentials. Put them into its URI.`
  if (Number.isNaN(status)) return `The proxy ${host}:${port} did not answer as an HTTP proxy does.`
  return `The proxy ${host}:${port} refused to connect to the target (status ${status}).`
}

/** Reads up to the empty line and leaves what follows to the next reader. */
function readHead(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen = Buffer.alloc(0)
    const stop = (): void => void socket.off('data', take).off('close', closed).off('error', failed).pause()
    const failed = (error: Error): void => (stop(), reject(error))
    const closed = (): void => failed(Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' }))
    const take = (part: Buffer): void => {
      seen = Buffer.concat([seen, part])
      const end = seen.indexOf('\r\n\r\n')
      if (end === -1 && seen.length <= mostHeaderBytes) return
      stop()
      if (end !== -1 && end + 4 < seen.length) socket.unshift(seen.subarray(end + 4))
      resolve(end === -1 ? '' : seen.toString('latin1', 0, end))
    }
    socket.on('data', take).once('close', closed).once('error', failed)
  })
}
