import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EgressGuard } from '../../../src/platform/egress/guard.ts'
import { openTransport, type Transport } from '../../../src/platform/egress/transport.ts'
import { selfSigned } from '../../support/certificate.ts'
import { openTarget, type HttpTarget } from '../../support/httpTarget.ts'

const loopback = new EgressGuard(['127.0.0.0/8'])
const { signal } = new AbortController()

let transport: Transport
beforeEach(() => {
  transport = openTransport(loopback, { maxBytes: 10_000 })
})
afterEach(() => transport.close())

describe.each(['http', 'https'])('a kept connection of %s that ends under the next request', (scheme) => {
  let target: HttpTarget

  /** Every connection carries one answer; the next request ends it, with the part of an answer where the address asks for one. */
  beforeAll(async () => {
    const used = new WeakSet<Socket>()
    target = await openTarget((request, response) => {
      const { socket, url = '' } = request
      if (url === '/half' && used.has(socket)) return void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf', () => socket.destroy())
      if (url === '/never' || used.has(socket)) return void (url === '/reset' && scheme === 'http' ? socket.resetAndDestroy() : socket.destroy())
      used.add(socket)
      response.end('hello')
    }, scheme === 'https' ? await selfSigned('shop.example') : undefined)
  })
  afterAll(() => target.close())

  const ask = async (path: string, method = 'GET', beforeHop?: () => Promise<void>): Promise<string> => {
    const answer = await transport.send({ method, url: `${target.origin}${path}`, verifyTls: false }, { signal, ...(beforeHop ? { beforeHop } : {}) })
    return (await answer.bytes()).toString()
  }
  /** Leaves a connection that has carried an answer, for the next request. */
  const warm = async (): Promise<void> => {
    await ask('/')
    await nextTurn()
  }
  const seenBy = async (work: () => Promise<unknown>): Promise<string[]> => {
    const before = target.seen.length
    await work()
    return target.seen.slice(before)
  }

  test.each(['/closed', '/reset'])('%s is not what becomes of the request: it is sent once more', async (path) => {
    await warm()
    expect(await seenBy(async () => expect(await ask(path)).toBe('hello'))).toEqual([`GET ${path}`, `GET ${path}`])
  })

  test('needs leave once more too', async () => {
    await warm()
    let leaves = 0
    await ask('/closed', 'GET', () => {
      leaves += 1
      return Promise.resolve()
    })
    expect(leaves).toBe(2)
  })

  test('fails a request that may not be sent twice', async () => {
    await warm()
    const seen = await seenBy(() => expect(ask('/closed', 'POST')).rejects.toMatchObject({ code: 'target_failed' }))
    expect(seen).toEqual(['POST /closed'])
  })

  test('fails a request whose answer had begun', async () => {
    await warm()
    expect(await seenBy(() => expect(ask('/half')).rejects.toMatchObject({ code: 'target_failed' }))).toEqual(['GET /half'])
  })

  test('has it sent twice at most, and once where the connection is new', async () => {
    expect(await seenBy(() => expect(ask('/never')).rejects.toMatchObject({ code: 'target_failed' }))).toEqual(['GET /never'])
    await warm()
    const seen = await seenBy(() => expect(ask('/never')).rejects.toMatchObject({ code: 'target_failed' }))
    expect(seen).toEqual(['GET /never', 'GET /never'])
  })

  test('costs none of many requests at once', async () => {
    const asked = await Promise.all(Array.from({ length: 300 }, (_, index) => ask(`/many/${index}`)))
    expect(asked).toEqual(Array.from({ length: 300 }, () => 'hello'))
  })
})
