import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** What a proxy does with its connections. */
export type Mood =
  /** Passes everything on. */
  | 'open'
  /** Closes new connections at once, and cuts those that exist. */
  | 'refuse'
  /** Takes connections and bytes, and lets nothing through; nobody is told. Like one that a router forgot, such a connection never comes back to life. */
  | 'swallow'
  /** Passes on what clients send, and resets the connection in place of the answer. */
  | 'cut'
  /** Does so with the next answer alone. */
  | 'cutOnce'
  /** Of a hundred pieces it loses one together with the connection, and passes another one on half a second late. */
  | 'flaky'

const flakyShare = 0.01
const flakyDelayMs = 500

/** A TCP proxy in front of a server, which can go away in the ways in which servers do. */
export interface TcpProxy {
  /** The server's own URL, with the proxy's address in it. */
  readonly url: string
  readonly connections: number
  setMood(mood: Mood): void
  /** Holds back every piece for this long, in both directions. */
  setDelay(delayMs: number): void
  /** Resets the connections that exist; new ones are taken as before. */
  reset(): void
  close(): Promise<void>
}

/** Opens a proxy in front of the server of a URL. */
export async function openTcpProxy(serverUrl: string): Promise<TcpProxy> {
  const target = new URL(serverUrl)
  const pairs = new Set<readonly [Socket, Socket]>()
  const dead = new WeakSet<Socket>()
  let mood: Mood = 'open'
  let delayMs = 0

  const send = (from: Socket, to: Socket, part: Buffer): void => {
    if (mood === 'swallow') [from, to].forEach((socket) => dead.add(socket))
    if (!dead.has(from)) to.write(part)
  }
  const cut = (client: Socket, upstream: Socket): void => {
    client.resetAndDestroy()
    upstream.destroy()
  }
  const sendLate = (from: Socket, to: Socket, part: Buffer): void => {
    from.pause() // what comes behind it must not overtake it
    setTimeout(() => {
      to.write(part)
      from.resume()
    }, flakyDelayMs)
  }
  const pass = (from: Socket, to: Socket): void => {
    from.on('data', (part) => {
      const luck = mood === 'flaky' ? Math.random() : 1
      if (luck < flakyShare) cut(from, to)
      else if (luck < 2 * flakyShare) sendLate(from, to, part)
      else if (delayMs === 0) send(from, to, part)
      else setTimeout(() => send(from, to, part), delayMs)
    })
    from.on('error', () => to.destroy()).on('close', () => to.destroy())
  }

  const server = createServer((client) => {
    if (mood === 'refuse') return void client.resetAndDestroy()
    const upstream = connect({ host: target.hostname, port: Number(target.port) })
    const pair = [client, upstream] as const
    pairs.add(pair)
    // Before the listener that passes it on.
    upstream.on('data', () => {
      if (mood === 'cut' || mood === 'cutOnce') cut(client, upstream)
      if (mood === 'cutOnce') mood = 'open'
    })
    pass(client, upstream)
    pass(upstream, client)
    client.once('close', () => pairs.delete(pair))
  })
  const reset = (): void => {
    for (const [client, upstream] of pairs) cut(client, upstream)
    pairs.clear()
  }
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = new URL(serverUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    get connections() {
      return pairs.size
    },
    setMood(next) {
      mood = next
      if (next === 'refuse') reset()
    },
    setDelay: (ms) => void (delayMs = ms),
    reset,
    close: () =>
      new Promise((closed) => {
        reset()
        server.close(() => closed())
      }),
  }
}
