import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { TestProxy } from './httpProxy.ts'

/** How a SOCKS proxy behaves. */
export interface SocksProxyOptions {
  /** The user and password, as `user:password`, that SOCKS5 clients must have. */
  readonly signIn?: string
  readonly refuse?: boolean
}

/** Reads from a socket in exact pieces. */
class Pieces {
  readonly #socket: Socket
  constructor(socket: Socket) {
    this.#socket = socket
  }

  async take(size: number): Promise<Buffer> {
    for (;;) {
      const piece = this.#socket.read(size) as Buffer | null
      if (piece) return piece
      await new Promise((resolve, reject) => {
        this.#socket.once('readable', resolve).once('close', () => reject(new Error('closed')))
      })
    }
  }

  async text(): Promise<string> {
    let text = ''
    for (;;) {
      const [byte = 0] = await this.take(1)
      if (byte === 0) return text
      text += String.fromCharCode(byte)
    }
  }
}

/** Opens a proxy that speaks SOCKS4, SOCKS4a and SOCKS5 with the CONNECT command. */
export async function openSocksProxy({ signIn, refuse = false }: SocksProxyOptions = {}): Promise<TestProxy> {
  const [asked, signIns] = [[] as string[], [] as string[]]
  const sockets = new Set<Socket>()

  const five = async (client: Socket, pieces: Pieces): Promise<readonly [string, number] | null> => {
    const methods = await pieces.take((await pieces.take(1))[0] ?? 0)
    const method = signIn === undefined ? 0 : 2
    client.write(Buffer.from([5, methods.includes(method) ? method : 255]))
    if (method === 2) {
      await pieces.take(1)
      const user = (await pieces.take((await pieces.take(1))[0] ?? 0)).toString()
      const password = (await pieces.take((await pieces.take(1))[0] ?? 0)).toString()
      signIns.push(`${user}:${password}`)
      const right = `${user}:${password}` === signIn
      client.write(Buffer.from([1, right ? 0 : 1]))
      if (!right) return null
    }
    const kind = (await pieces.take(4))[3]
    const host = kind === 1 ? (await pieces.take(4)).join('.') : (await pieces.take((await pieces.take(1))[0] ?? 0)).toString()
    return [host, (await pieces.take(2)).readUInt16BE()]
  }
  const four = async (pieces: Pieces): Promise<readonly [string, number]> => {
    await pieces.take(1)
    const port = (await pieces.take(2)).readUInt16BE()
    const address = (await pieces.take(4)).join('.')
    signIns.push(await pieces.text())
    return [address.startsWith('0.0.0.') ? await pieces.text() : address, port]
  }
  const serve = async (client: Socket): Promise<void> => {
    const pieces = new Pieces(client)
    const version = (await pieces.take(1))[0]
    const target = version === 4 ? await four(pieces) : await five(client, pieces)
    if (!target) return void client.end()
    const [host, port] = target
    asked.push(`${host}:${port}`)
    const reply = (good: boolean): Buffer =>
      version === 4 ? Buffer.from([0, good ? 90 : 91, 0, 0, 0, 0, 0, 0]) : Buffer.from([5, good ? 0 : 5, 0, 1, 0, 0, 0, 0, 0, 0])
    if (refuse) return void client.end(reply(false))
    const upstream = connect({ host, port }, () => {
      client.write(reply(true))
      client.pipe(upstream).pipe(client)
    })
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy())
    client.on('close', () => upstream.destroy())
  }
  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => client.destroy())
    serve(client).catch(() => client.destroy())
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const close = (): Promise<void> =>
    new Promise((closed) => {
      server.close(() => closed())
      for (const socket of sockets) socket.destroy()
    })
  return { port: (server.address() as AddressInfo).port, asked, signIns, close }
}
