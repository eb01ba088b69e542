import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EgressGuard, type Resolve } from '../../../src/platform/egress/guard.ts'
import { openTransport, type Transport } from '../../../src/platform/egress/transport.ts'
import { selfSigned } from '../../support/certificate.ts'
import { bodyOf, openTarget, type HttpTarget } from '../../support/httpTarget.ts'

const signal = new AbortController().signal
const resolve: Resolve = (host) => (host.endsWith('.example') ? Promise.resolve(['127.0.0.1']) : Promise.reject(new Error('ENOTFOUND')))
const loopback = new EgressGuard(['127.0.0.0/8'], resolve)

let target: HttpTarget
let transport: Transport
const cut: Array<() => void> = []

beforeAll(async () => {
  target = await openTarget((request, response) => {
    const path = request.url ?? ''
    if (path === '/echo') return void bodyOf(request).then((body) => response.end(`${request.method} ${body}`))
    if (path === '/many') return void response.setHeader('set-cookie', ['a=1', 'b=2']).end()
    if (path === '/large') return void response.end(Buffer.alloc(5_000_000, 'x'))
    if (path === '/half') return void response.writeHead(200, { 'content-length': 10 }).write('half', () => request.socket.destroy())
    if (path === '/begun') return void response.write('begun')
    if (path === '/silent') return
    if (path.startsWith('/reset')) return void request.socket.resetAndDestroy()
    response.end('hello')
  })
})
afterAll(() => target.close())
beforeEach(() => {
  transport = openTransport(loopback, { maxBytes: 10_000_000, userAgent: 'Quern/1.2.3', headersTimeoutMs: 1_000 })
})
afterEach(async () => {
  for (const end of cut.splice(0)) end()
  await transport.close()
})

const get = (path: string, more = {}) => transport.send({ method: 'GET', url: `${target.origin}${path}`, ...more }, { signal })
const text = async (path: string, more = {}): Promise<string> => (await (await get(path, more)).bytes()).toString()

const piecesOf = async (body: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> => {
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(piece)
  return pieces
}

describe('send', () => {
  test('answers status, headers, address, time and body', async () => {
    const answer = await get('/many?a=1#b')
    expect(answer).toMatchObject({ status: 200, url: `${target.origin}/many?a=1#b` })
    expect(answer.headers).not.toHaveProperty('set-cookie')
    expect((await get('/many')).headers).toMatchObject({ 'set-cookie': 'a=1, b=2' })
    expect(answer.ms).toBeGreaterThan(0)
    expect((await answer.bytes()).toString()).toBe('hello')
  })

  test('says who we are and what we can read, unless the caller does', async () => {
    await text('/')
    expect(target.headers).toMatchObject({ 'user-agent': 'Quern/1.2.3', accept: '*/*', 'accept-encoding': 'gzip, deflate, br', host: `127.0.0.1:${target.port}` })
    await text('/', { headers: { 'User-Agent': 'Mine', ACCEPT: 'text/html', 'X-A': 'b\tc' } })
    expect(target.headers).toMatchObject({ 'user-agent': 'Mine', accept: 'text/html', 'x-a': 'b\tc', 'accept-encoding': 'gzip, deflate, br' })
  })

  test('sends bodies of text and of bytes', async () => {
    expect(await text('/echo', { method: 'post', body: 'käse' })).toBe('POST käse')
    expect(await text('/echo', { method: 'PUT', body: Uint8Array.of(65, 66) })).toBe('PUT AB')
    expect(target.headers['content-length']).toBe('2')
  })

  test.for<[name: string, value: string]>([
    ['X-A', 'a\r\nX-B: c'], ['X-A', 'a\nb'], ['X-A', 'a\0b'], ['X-A', 'a\u{1F600}'], ['X A', 'b'], ['X:A', 'b'], ['', 'b'], ['X\r\nA', 'b'],
    ['Host', 'other.example'], ['content-length', '3'], ['Transfer-Encoding', 'chunked'], ['connection', 'close'], ['Upgrade', 'h2c'], ['TE', 'trailers'],
    ['Keep-Alive', '5'], ['Expect', '100-continue'], ['Trailer', 'x'], ['Proxy-Connection', 'close'],
  ])('refuses the header %j with the value %j', async ([name, value]) => {
    const before = target.seen.length
    await expect(get('/', { headers: { [name]: value } })).rejects.toMatchObject({ code: 'unprocessable' })
    expect(target.seen.length).toBe(before)
  })

  test.for(['CONNECT', 'GET /x', 'G\r\nET', ''])('refuses the method %j', async (method) => {
    await expect(get('/', { method })).rejects.toMatchObject({ code: 'unprocessable' })
  })

  test('uses a connection again once its answer has been read, or given up when it is short', async () => {
    const before = target.connections
    await text('/')
    ;(await get('/')).discard()
    await expect.poll(async () => text('/')).toBe('hello')
    expect(target.connections - before).toBeLessThanOrEqual(2)
    for (let at = 0; at < 20; at += 1) await text('/')
    expect(target.connections - before).toBeLessThanOrEqual(2)
  })

  test('tells the size of what arrives and waits for the hook before anything is sent', async () => {
    const before = target.seen.length
    const told: unknown[] = []
    const hooks = {
      signal,
      beforeHop: async (url: URL) => void told.push(`before ${url.pathname} ${target.seen.length - before}`),
      received: (bytes: number) => void told.push(bytes),
    }
    await (await transport.send({ method: 'GET', url: `${target.origin}/` }, hooks)).bytes()
    expect(told).toEqual(['before / 0', 5])
  })

  test('throws what the hook throws', async () => {
    const wait = { waitMs: 100 }
    const before = target.seen.length
    const sent = transport.send({ method: 'GET', url: `${target.origin}/` }, { signal, beforeHop: () => Promise.reject(wait) })
    await expect(sent).rejects.toBe(wait)
    expect(target.seen.length).toBe(before)
  })

  test('asks the hook anew when the request was held back at the last moment, over the same connection', async () => {
    const [seen, connections] = [target.seen.length, target.connections]
    let [asked, tries] = [0, 0]
    const hooks = { signal, beforeHop: async () => void (asked += 1), sending: () => (tries += 1) > 2 }
    await (await transport.send({ method: 'POST', url: `${target.origin}/echo`, body: 'x' }, hooks)).bytes()
    expect([asked, tries, target.seen.length - seen, target.connections - connections]).toEqual([3, 3, 1, 1])
  })
})

describe('bodies', () => {
  test('arrive piece by piece at the pace of their reader', async () => {
    let received = 0
    const answer = await transport.send({ method: 'GET', url: `${target.origin}/large` }, { signal, received: (bytes) => void (received += bytes) })
    let read = 0
    for await (const part of answer.body) {
      read += part.length
      expect(received - read).toBeLessThan(1_000_000)
    }
    expect(read).toBe(5_000_000)
  })

  test('are collected whole', async () => {
    expect((await (await get('/large')).bytes()).equals(Buffer.alloc(5_000_000, 'x'))).toBe(true)
  })

  test('beyond the bound are refused, and the connection is closed', async () => {
    const small = openTransport(loopback, { maxBytes: 1_000_000 })
    const send = () => small.send({ method: 'GET', url: `${target.origin}/large` }, { signal })
    await expect((await send()).bytes()).rejects.toMatchObject({ code: 'target_too_large', message: expect.stringContaining('1,000,000 bytes') })
    await expect(piecesOf((await send()).body)).rejects.toMatchObject({ code: 'target_too_large' })
    await expect.poll(() => target.open).toBe(0)
    await small.close()
  })

  test('that are cut off fail', async () => {
    await expect((await get('/half')).bytes()).rejects.toMatchObject({ code: 'target_failed' })
  })

  test('that fall silent fail in time', async () => {
    await expect((await get('/begun')).bytes()).rejects.toMatchObject({ code: 'target_timeout' })
  })

  test('given up in the middle close their connection when they are long', async () => {
    const answer = await get('/large')
    for await (const part of answer.body) if (part.length > 0) break
    await expect.poll(() => target.open, { timeout: 5_000 }).toBe(0)
  })

  test('are read once', async () => {
    const answer = await get('/')
    await answer.bytes()
    await expect(answer.bytes()).rejects.toThrow('already')
  })
})

describe('failures', () => {
  test('name the server and the reason, but never the query string', async () => {
    const { port } = target
    const named = expect.stringMatching(new RegExp(`^127.0.0.1:${port} (closed|reset) the connection[^?]*$`)) as string
    await expect(get('/reset?token=hush')).rejects.toMatchObject({ code: 'target_failed', message: named })
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const free = (closed.address() as AddressInfo).port
    await new Promise((done) => void closed.close(done))
    const refused = transport.send({ method: 'GET', url: `http://127.0.0.1:${free}/?token=hush` }, { signal })
    await expect(refused).rejects.toMatchObject({ code: 'target_failed', message: `127.0.0.1:${free} refused the connection.` })
  })

  test('of names that do not resolve are told', async () => {
    const sent = transport.send({ method: 'GET', url: 'http://nothing.invalid/' }, { signal })
    await expect(sent).rejects.toMatchObject({ code: 'target_failed', message: expect.stringContaining('nothing.invalid') })
  })

  test('of servers that are slow to answer end in time, which may be longer for one request', async () => {
    await expect(get('/silent')).rejects.toMatchObject({ code: 'target_timeout' })
    const start = performance.now()
    const patient = transport.send({ method: 'GET', url: `${target.origin}/silent` }, { signal, patienceMs: 3_000 })
    await expect(patient).rejects.toMatchObject({ code: 'target_timeout' })
    expect(performance.now() - start).toBeGreaterThan(2_500)
  })

  test('of servers that speak no HTTP are unreadable', async () => {
    const greet = (socket: Socket): void => void socket.on('error', () => undefined).once('data', () => socket.end('220 mail.example ESMTP\r\n'))
    const server = createServer(greet).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    await expect(transport.send({ method: 'GET', url }, { signal })).rejects.toMatchObject({ code: 'target_unreadable' })
    server.close()
  })

  test.for([
    'ftp://a.example/', 'http://user:hush@a.example/', 'nonsense', 'http://10.0.0.1/', 'http://169.254.169.254/', 'http://[::1]/',
  ])('refuses %s', async (url) => {
    await expect(transport.send({ method: 'GET', url }, { signal })).rejects.toMatchObject({ code: 'target_forbidden' })
  })

  test('of names that lead into a private network are refused', async () => {
    const inward = openTransport(new EgressGuard([], () => Promise.resolve(['10.1.2.3'])), { maxBytes: 1_000 })
    await expect(inward.send({ method: 'GET', url: 'http://inner.example/' }, { signal })).rejects.toMatchObject({ code: 'target_forbidden' })
    await inward.close()
  })
})

describe('an abort', () => {
  test('before the answer rejects with its reason and closes the connection', async () => {
    const abort = new AbortController()
    const reason = new Error('cancelled')
    const sending = (): boolean => (setImmediate(() => abort.abort(reason)), true)
    const sent = transport.send({ method: 'GET', url: `${target.origin}/silent` }, { signal: abort.signal, sending })
    await expect(sent).rejects.toBe(reason)
    await expect.poll(() => target.open).toBe(0)
  })

  test('in the middle of a body does the same', async () => {
    const abort = new AbortController()
    const answer = await transport.send({ method: 'GET', url: `${target.origin}/begun` }, { signal: abort.signal })
    const reading = answer.bytes()
    const reason = { why: 'cancelled' }
    abort.abort(reason)
    await expect(reading).rejects.toBe(reason)
    await expect.poll(() => target.open).toBe(0)
  })

  test('while the connection is being made does not wait for it', async () => {
    const slow = openTransport(new EgressGuard([], () => new Promise(() => undefined)), { maxBytes: 1_000 })
    const abort = new AbortController()
    const sent = slow.send({ method: 'GET', url: 'http://slow.example/' }, { signal: abort.signal })
    abort.abort(new Error('cancelled'))
    await expect(sent).rejects.toThrow('cancelled')
    await slow.close()
  })

  test('beforehand sends nothing', async () => {
    const before = target.seen.length
    await expect(transport.send({ method: 'GET', url: `${target.origin}/` }, { signal: AbortSignal.abort('over') })).rejects.toBe('over')
    expect(target.seen.length).toBe(before)
  })
})

describe('TLS', () => {
  test('is verified unless the caller says otherwise', async () => {
    const secure = await openTarget((_, response) => void response.end('secret'), await selfSigned('shop.example'))
    cut.push(() => void secure.close())
    const url = `https://shop.example:${secure.port}/`
    const sent = transport.send({ method: 'GET', url }, { signal })
    await expect(sent).rejects.toMatchObject({ code: 'target_failed', message: expect.stringContaining('self-signed') })
    const answer = await transport.send({ method: 'GET', url, verifyTls: false }, { signal })
    expect((await answer.bytes()).toString()).toBe('secret')
  })

  test('that the server does not speak fails clearly', async () => {
    const url = `https://127.0.0.1:${target.port}/`
    await expect(transport.send({ method: 'GET', url }, { signal })).rejects.toMatchObject({ code: 'target_failed', message: expect.stringContaining('TLS') })
  })
})
