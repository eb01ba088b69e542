import { createServer, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/platform/errors.ts'
import { readPieces } from '../../src/platform/pieces.ts'

const bounds = { maxBytes: 10_000_000, idleMs: 5_000 }

/** Opens a request, hands it to `serve` on the other side, and answers what became of it there. */
async function exchange<Result>(send: (client: ClientRequest) => void, serve: (request: IncomingMessage) => Promise<Result>): Promise<Result> {
  const server = createServer()
  const served = new Promise<Result>((resolve, reject) => server.once('request', (request: IncomingMessage) => void serve(request).then(resolve, reject)))
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const client = httpRequest({ port: (server.address() as AddressInfo).port, method: 'POST', headers: { 'Transfer-Encoding': 'chunked' } })
  client.on('error', () => undefined).flushHeaders()
  send(client)
  try {
    return await served
  } finally {
    client.destroy()
    server.closeAllConnections()
    server.close()
  }
}

/** The code of the problem that a promise fails with. */
const codeOf = (promise: Promise<void>): Promise<string> => promise.then(() => 'none', (error: unknown) => (error instanceof Problem ? error.code : String(error)))

describe('readPieces', () => {
  test('hands on every byte in order, one piece at a time', async () => {
    const body = Buffer.alloc(3_000_000, '0123456789')
    const parts: Buffer[] = []
    let [atOnce, most] = [0, 0]
    const take = async (piece: Buffer): Promise<void> => {
      atOnce += 1
      most = Math.max(most, atOnce)
      await new Promise((next) => setImmediate(next))
      parts.push(piece)
      atOnce -= 1
    }
    await exchange((client) => client.end(body), (request) => readPieces(request, bounds, take))
    expect({ same: Buffer.concat(parts).equals(body), most }).toEqual({ same: true, most: 1 })
  })

  test('ends for an empty body', async () => {
    expect(await exchange((client) => client.end(), (request) => codeOf(readPieces(request, bounds, async () => undefined)))).toBe('none')
  })

  test('fails as the taker fails, without ending the connection', async () => {
    const refuse = async (): Promise<void> => {
      throw new Problem('conflict', 'No.')
    }
    const outcome = await exchange(
      (client) => client.write(Buffer.alloc(1_000_000)),
      async (request) => ({ code: await codeOf(readPieces(request, bounds, refuse)), destroyed: request.destroyed, paused: request.isPaused() }),
    )
    expect(outcome).toEqual({ code: 'conflict', destroyed: false, paused: true })
  })

  test('waits for the taker before it fails for a client that has gone away', async () => {
    const events: string[] = []
    let hangUp = (): void => undefined
    const take = async (): Promise<void> => {
      hangUp()
      await new Promise((later) => setTimeout(later, 50))
      events.push('taken')
    }
    const send = (client: ClientRequest): void => {
      hangUp = () => client.destroy()
      client.write('x')
    }
    events.push(await exchange(send, (request) => codeOf(readPieces(request, bounds, take))))
    expect(events).toEqual(['taken', 'bad_request'])
  })

  test('refuses a body that is silent, too slow or too large', async () => {
    const outcome = (body: Buffer, limits: Partial<typeof bounds & { deadlineMs: number }>): Promise<string> =>
      exchange((client) => client.write(body), (request) => codeOf(readPieces(request, { ...bounds, ...limits }, async () => undefined)))
    expect(await outcome(Buffer.from('x'), { idleMs: 30 })).toBe('request_timeout')
    expect(await outcome(Buffer.from('x'), { deadlineMs: 30 })).toBe('request_timeout')
    expect(await outcome(Buffer.alloc(101), { maxBytes: 100 })).toBe('body_too_large')
  })
})
