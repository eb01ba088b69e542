import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDialer } from '../../../src/platform/egress/dialer.ts'
import { EgressGuard } from '../../../src/platform/egress/guard.ts'

let hits: string[] = []
const server = createServer((message, response) => {
  hits.push(String(message.headers.host))
  response.end('hello')
})

beforeAll(() => new Promise<void>((ready) => void server.listen(0, '127.0.0.1', ready)))
afterAll(() => new Promise<void>((done) => void server.close(() => done())))

const port = (): number => (server.address() as AddressInfo).port

describe('openDialer', () => {
  test('connects to the address that the guard answers, under the name that was asked for', async () => {
    const asked: string[] = []
    const guard = new EgressGuard(['127.0.0.0/8'], (host) => {
      asked.push(host)
      return Promise.resolve(['127.0.0.1'])
    })
    const dispatcher = openDialer(guard)
    const { statusCode, body } = await request(`http://shop.example:${port()}/`, { dispatcher })
    expect([statusCode, await body.text()]).toEqual([200, 'hello'])
    expect(asked).toEqual(['shop.example'])
    expect(hits).toEqual([`shop.example:${port()}`])
    await dispatcher.close()
  })

  test.for(['http://127.0.0.1', 'http://[::1]', 'http://localhost', 'http://0.0.0.0', 'http://2130706433', 'http://[::ffff:127.0.0.1]'])('never touches %s', async (origin) => {
    hits = []
    const dispatcher = openDialer(new EgressGuard())
    await expect(request(`${origin}:${port()}/`, { dispatcher })).rejects.toMatchObject({ code: 'target_forbidden' })
    expect(hits).toEqual([])
    await dispatcher.close()
  })
})
