import { readdir, readFile, readlink } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** The site that queries fetch from: it counts every hit, and leaves some without an answer. */
export interface Site {
  readonly origin: string
  /** How often each path was asked for. */
  readonly hits: ReadonlyMap<string, number>
  /** Sockets whose request is left without an answer. */
  readonly hanging: ReadonlySet<Socket>
}

/** Opens a site: `/hang…` is never answered, every other path as JSON that names it, after a moment. */
export async function openSite(answerAfterMs = 30): Promise<Site> {
  const hits = new Map<string, number>()
  const hanging = new Set<Socket>()
  const hang = ({ socket }: IncomingMessage): void => {
    hanging.add(socket)
    socket.once('close', () => hanging.delete(socket))
  }
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    hits.set(path, (hits.get(path) ?? 0) + 1)
    if (path.startsWith('/hang')) return hang(request)
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ path })), answerAfterMs)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => server.close().closeAllConnections())
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, hits, hanging } // a TCP server has a port
}

/** Which of these processes has the other end of a socket. */
export async function holderOf({ remotePort, localPort }: Socket, pids: readonly number[]): Promise<number | undefined> {
  const table = await readFile('/proc/net/tcp', 'utf8')
  const [theirs, ours] = [remotePort, localPort].map((port = 0) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`) as [string, string]
  // Both ends, because connections to other servers may have the same port at this end.
  const line = table.split('\n').map((text) => text.trim().split(/\s+/)).find(([, local = '', remote = '']) => local.endsWith(theirs) && remote.endsWith(ours))
  const inode = line?.[9]
  for (const pid of pids) if (inode !== undefined && (await socketsOf(pid)).includes(`socket:[${inode}]`)) return pid
  return undefined
}

async function socketsOf(pid: number): Promise<string[]> {
  const names = await readdir(`/proc/${pid}/fd`).catch(() => [])
  return Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')))
}
