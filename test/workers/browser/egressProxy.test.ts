import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { EgressGuard } from '../../../src/platform/egress/guard.ts'
import { parseProxy } from '../../../src/platform/egress/routes.ts'
import { Problem } from '../../../src/platform/errors.ts'
import { openEgressProxy, type EgressProxy, type OpenPassage } from '../../../workers/browser/egressProxy.ts'
import { servePages } from '../../support/browserPool.ts'
import { openHttpProxy } from '../../support/httpProxy.ts'

type Rules = Parameters<typeof openEgressProxy>[0]

function openProxy(rules: Partial<Rules> = {}): EgressProxy {
  const proxy = openEgressProxy({ guard: new EgressGuard(['127.0.0.0/8']), ...rules })
  onTestFinished(() => proxy.close())
  return proxy
}

const portOf = ({ proxyServer }: OpenPassage): number => Number(new URL(proxyServer).port)

/** Asks a proxy for an address, as a browser does for plain HTTP. */
async function ask(opened: OpenPassage, url: string, { method = 'GET', body = '' } = {}): Promise<{ readonly status: number | undefined; readonly body: string; readonly headers: IncomingMessage['headers'] }> {
  const sent = request({ port: portOf(opened), host: '127.0.0.1', path: url, method, headers: { host: 'else', 'proxy-connection': 'keep-alive', 'x-a': '1' }, agent: false })
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, body: await text(answer), headers: answer.headers }
}

/** Asks a proxy for a tunnel; answers the status and the socket. */
async function dig(opened: OpenPassage, authority: string): Promise<{ readonly status: number; readonly socket: Socket }> {
  const socket = connect(portOf(opened), '127.0.0.1').on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`)
  const [head] = (await once(socket, 'data')) as [Buffer]
  return { status: Number(head.toString().split(' ')[1]), socket }
}

describe('the egress proxy', () => {
  it('passes plain requests on, with the host that the address names and without what is meant for the proxy', async () => {
    const { url } = await servePages({
      '/echo': (message, response) => void text(message).then((body) => {
        response.writeHead(201, { 'x-b': '2', 'set-cookie': ['a=1', 'b=2'] })
        response.end(JSON.stringify({ body, method: message.method, headers: message.headers }))
      }),
    })
    const opened = await openProxy().open()
    const answer = await ask(opened, `${url}/echo?q=1`, { method: 'POST', body: 'hello' })
    const seen = JSON.parse(answer.body) as { body: string; method: string; headers: Record<string, string> }
    expect(answer).toMatchObject({ status: 201, headers: { 'x-b': '2', 'set-cookie': ['a=1', 'b=2'] } })
    expect(seen).toMatchObject({ body: 'hello', method: 'POST', headers: { host: new URL(url).host, 'x-a': '1' } })
    expect(seen.headers).not.toHaveProperty('proxy-connection')
    expect(opened.passage.counts).toEqual({ requests: 1, connections: 1, refused: 0, failed: 0 })
  })

  it('opens tunnels, and ends them with their passage', async () => {
    const { port } = await servePages({ '/': 'hello' })
    const opened = await openProxy().open()
    const { status, socket } = await dig(opened, `127.0.0.1:${port}`)
    expect(status).toBe(200)
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(String((await once(socket, 'data'))[0])).toContain('HTTP/1.1 200 OK')
    const closed = once(socket, 'close')
    opened.close()
    await closed
  })

  it('refuses what the guard refuses with 403, connects to nothing, and remembers it for that job only', async () => {
    const { url, port } = await servePages({ '/': 'hello' })
    const proxy = openProxy({ guard: new EgressGuard() })
    const [one, other] = await Promise.all([proxy.open(), proxy.open()])
    expect(await ask(one, `${url}/`)).toMatchObject({ status: 403, body: expect.stringContaining('private network') as string })
    expect((await dig(one, `localhost:${port}`)).status).toBe(403)
    expect((await dig(one, `[::1]:${port}`)).status).toBe(403)
    expect(one.passage.refusals().map(({ host, problem }) => [host, problem.code])).toEqual(
      ['127.0.0.1', 'localhost', '::1'].map((host) => [host, 'target_forbidden']),
    )
    expect(one.passage.problemOf(`http://[::1]:${port}/x`)).toMatchObject({ code: 'target_forbidden' })
    expect(other.passage.refusals()).toEqual([])
    expect(other.passage.problemOf(url)).toBeUndefined()
  })

  it.for(['ftp://127.0.0.1/', 'https://127.0.0.1/', '/etc/passwd', 'http://'])('refuses the address %s', async (url) => {
    expect((await ask(await openProxy().open(), url)).status).toBe(403)
  })

  it('tells a host that cannot be reached from one that may not be', async () => {
    const opened = await openProxy().open()
    expect((await ask(opened, 'http://127.0.0.1:1/')).status).toBe(502)
    expect(opened.passage.problemOf('http://127.0.0.1:1/')).toMatchObject({ code: 'target_failed' })
  })

  it('connects to the address that was admitted, whatever the name means later', async () => {
    const { url, port } = await servePages({ '/': 'hello' })
    const addresses = [['127.0.0.1'], ['10.0.0.1']]
    const guard = new EgressGuard(['127.0.0.0/8'], () => Promise.resolve(addresses.shift() ?? []))
    const opened = await openProxy({ guard }).open()
    expect(await ask(opened, `http://shop.example:${port}/`)).toMatchObject({ status: 200, body: 'hello' })
    expect((await dig(opened, `shop.example:${port}`)).status).toBe(403)
    expect(new URL(url).port).toBe(String(port))
  })

  it('does not let one job use the way out of another', async () => {
    const proxy = openProxy()
    const [one, other] = await Promise.all([proxy.open(), proxy.open()])
    expect((await dig(one, `127.0.0.1:${portOf(other)}`)).status).toBe(403)
    expect((await ask(one, `${other.proxyServer}/`)).status).toBe(403)
    one.passage.follow({ routes: () => Promise.resolve([parseRoute(other.proxyServer)]) })
    expect((await dig(one, '127.0.0.1:80')).status).toBe(403)
  })

  it('asks before each connection, and goes through the proxy of the user', async () => {
    const { url, port } = await servePages({ '/': 'hello' })
    const upstream = await openHttpProxy()
    onTestFinished(() => upstream.close())
    const calls: unknown[] = []
    const onConnect = (token: string, host: string, asked: number): void => {
      calls.push([token, host, asked])
      if (asked === 81) throw new Problem('target_forbidden', 'Not this one.')
    }
    const opened = await openProxy({ onConnect }).open()
    opened.passage.follow({ routes: () => Promise.resolve([parseRoute(`http://user:pass@127.0.0.1:${upstream.port}`)]) })
    expect(await ask(opened, `${url}/`)).toMatchObject({ status: 200, body: 'hello' })
    expect((await dig(opened, '127.0.0.1:81')).status).toBe(403)
    expect(upstream.asked).toEqual([`127.0.0.1:${port}`])
    expect(calls).toEqual([[opened.passage.token, '127.0.0.1', port], [opened.passage.token, '127.0.0.1', 81]])
  })

  it('connects to nothing when it is offline, and closes its port at the end', async () => {
    const { url } = await servePages({ '/': 'hello' })
    const proxy = openProxy()
    const opened = await proxy.open()
    opened.passage.follow({ offline: true })
    expect((await ask(opened, `${url}/`)).status).toBe(403)
    opened.close()
    expect(proxy.size).toBe(0)
    await expect(ask(opened, `${url}/`)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})

function parseRoute(uri: string) {
  const upstream = parseProxy(uri)
  const [route] = 'routes' in upstream ? upstream.routes : []
  if (route === undefined) throw new Error(`${uri} is no proxy`)
  return route
}
