import { STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { Problem } from '../../src/platform/errors.ts'
import { describeRefusal } from './forward.ts'
import type { Passage } from './passage.ts'

/** Opens a tunnel to the host that a CONNECT request names, for HTTPS and WebSockets. */
export async function tunnel(passage: Passage, request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
  passage.counts.requests += 1
  try {
    const { host, port } = parseAuthority(request.url ?? '')
    const target = await passage.dial('https', host, port)
    if (client.destroyed) return void target.destroy()
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    if (head.length > 0) target.write(head)
    join(client, target)
  } catch (error) {
    const { status, detail } = describeRefusal(error)
    const headers = ['Content-Type: text/plain; charset=utf-8', `Content-Length: ${Buffer.byteLength(detail)}`, 'Connection: close']
    client.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join('\r\n')}\r\n\r\n${detail}`)
  }
}

function parseAuthority(text: string): { readonly host: string; readonly port: number } {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^[\]:/?#@]+)):(\d{1,5})$/.exec(text)
  const port = Number(match?.[3])
  const host = match?.[1] ?? match?.[2]
  if (host === undefined || port < 1 || port > 65_535) throw new Problem('target_forbidden', 'A tunnel needs a host and a port.')
  return { host, port }
}

function join(client: Duplex, target: Duplex): void {
  client.pipe(target).pipe(client)
  client.once('close', () => target.destroy())
  target.once('close', () => client.destroy())
}
