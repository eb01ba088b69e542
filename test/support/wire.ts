import { connect, type Socket } from 'node:net'

/** An answer as it came over the wire. */
export interface WireAnswer {
  readonly status: number
  /** Header values by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A connection whose bytes the test writes itself, for everything that `fetch` would refuse to send. */
export class Wire {
  readonly socket: Socket
  /** Settles when the connection is gone, whoever ended it. */
  readonly closed: Promise<void>
  #received = Buffer.alloc(0)
  #ended = false
  #wake: () => void = () => undefined

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (part) => {
      this.#received = Buffer.concat([this.#received, part])
      this.#wake()
    })
    const end = (): void => {
      this.#ended = true
      this.#wake()
    }
    socket.on('error', end).on('end', end).on('close', end)
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()))
  }

  static open(url: string): Promise<Wire> {
    const { hostname, port } = new URL(url)
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      socket.once('error', reject).once('connect', () => {
        socket.off('error', reject)
        resolve(new Wire(socket))
      })
    })
  }

  /** Writes text, its line ends as `\r\n`, or bytes as they are. */
  write(data: string | Buffer): void {
    this.socket.write(typeof data === 'string' ? data.replaceAll(/\r?\n/g, '\r\n') : data)
  }

  /** The next whole answer; fails when the connection ends before it. The answer to a HEAD has no body, whatever its length says. */
  async next(options: { head?: boolean } = {}): Promise<WireAnswer> {
    for (;;) {
      const parsed = parseAnswer(this.#received, this.#ended, options.head ?? false)
      if (parsed) {
        this.#received = this.#received.subarray(parsed.length)
        return parsed.answer
      }
      if (this.#ended) throw new Error(`the connection ended after ${this.#received.length} bytes of an answer`)
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  /** Whatever has come and was not taken by `next`. */
  get rest(): string {
    return this.#received.toString()
  }

  close(): void {
    this.socket.destroy()
  }
}

/** Sends one message over a connection of its own and answers the first answer. */
export async function exchange(url: string, ...data: (string | Buffer)[]): Promise<WireAnswer> {
  const wire = await Wire.open(url)
  try {
    for (const part of data) wire.write(part)
    return await wire.next({ head: String(data[0]).startsWith('HEAD ') })
  } finally {
    wire.close()
  }
}

function parseAnswer(bytes: Buffer, ended: boolean, head: boolean): { answer: WireAnswer; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const headers = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]))
  const status = Number(statusLine.split(' ')[1])
  const start = end + 4
  const length = head || status === 100 || status === 204 ? 0 : headers['content-length'] === undefined ? undefined : Number(headers['content-length'])
  if (length === undefined && !ended) return undefined
  const stop = start + (length ?? bytes.length - start)
  if (bytes.length < stop) return undefined
  return { answer: { status, headers, body: bytes.subarray(start, stop).toString() }, length: stop }
}
