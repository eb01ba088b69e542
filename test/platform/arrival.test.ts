import { once } from 'node:events'
import { createServer, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test as base } from 'vitest'
import { readBytes } from '../../src/platform/arrival.ts'

/** A request that is under way, seen from both ends. */
interface UnderWay {
  readonly client: ClientRequest
  readonly request: IncomingMessage
}

const test = base.extend<{ open: () => Promise<UnderWay> }>({
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads the needed fixtures from this pattern
  open: async ({}, use) => {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    await use(async () => {
      const client = httpRequest({ port: (server.address() as AddressInfo).port, method: 'POST', headers: { 'Transfer-Encoding': 'chunked' } })
      client.on('error', () => undefined).flushHeaders()
      const [request] = (await once(server, 'request')) as [IncomingMessage]
      return { client, request }
    })
    server.closeAllConnections()
    server.close()
  },
})

const bounds = { maxBytes: 10, idleMs: 5_000 }
const watched = (request: IncomingMessage): number => ['data', 'close'].reduce((sum, name) => sum + request.listenerCount(name), 0)

describe('readBytes', () => {
  test('answers the whole body, to its last byte', async ({ open }) => {
    const { client, request } = await open()
    client.write('01234')
    client.end('56789')
    expect((await readBytes(request, bounds)).toString()).toBe('0123456789')
  })

  test('answers an empty body', async ({ open }) => {
    const { client, request } = await open()
    client.end()
    expect(await readBytes(request, bounds)).toHaveLength(0)
  })

  test('refuses one byte more than the bound, and watches no longer', async ({ open }) => {
    const { client, request } = await open()
    const before = watched(request)
    client.write('01234567890')
    await expect(readBytes(request, bounds)).rejects.toMatchObject({ code: 'body_too_large', message: 'The body may have 10 bytes at most.' })
    expect(watched(request)).toBe(before)
  })

  test('refuses a body that is cut off, also where that came first', async ({ open }) => {
    const { client, request } = await open()
    const reading = readBytes(request, bounds)
    client.destroy()
    await expect(reading).rejects.toMatchObject({ code: 'bad_request', message: 'The body was cut off.' })
    await expect(readBytes(request, bounds)).rejects.toMatchObject({ code: 'bad_request' })
  })

  test('refuses a client that falls silent, and one that takes too long in all', async ({ open }) => {
    const silent = await open()
    silent.client.write('0')
    await expect(readBytes(silent.request, { maxBytes: 10, idleMs: 30 })).rejects.toMatchObject({ code: 'request_timeout' })
    const slow = await open()
    const dripping = setInterval(() => slow.client.write('0'), 10)
    await expect(readBytes(slow.request, { maxBytes: 1_000, idleMs: 5_000, deadlineMs: 100 })).rejects.toMatchObject({ code: 'request_timeout', message: 'The body did not arrive within 0.1 s.' })
    clearInterval(dripping)
  })
})
