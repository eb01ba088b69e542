import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EgressGuard, type Resolve } from '../../../src/platform/egress/guard.ts'
import { openTransport, type Transport } from '../../../src/platform/egress/transport.ts'
import { selfSigned } from '../../support/certificate.ts'
import { openHttpProxy, type TestProxy } from '../../support/httpProxy.ts'
import { openTarget, type HttpTarget } from '../../support/httpTarget.ts'
import { openSocksProxy } from '../../support/socksProxy.ts'

const signal = new AbortController().signal
const resolve: Resolve = (host) => {
  if (host.endsWith('.example')) return Promise.resolve([host.startsWith('inner') ? '10.0.0.1' : '127.0.0.1'])
  return Promise.reject(new Error('ENOTFOUND'))
}
const guard = new EgressGuard(['127.0.0.1/32'], resolve)

let target: HttpTarget
let secure: HttpTarget
let plain: TestProxy
let overTls: TestProxy
let socks: TestProxy
let transport: Transport

beforeAll(async () => {
  const certificate = await selfSigned('shop.example')
  target = await openTarget((request, response) => void response.end(`plain ${request.headers.host}`))
  secure = await openTarget((request, response) => void response.end(`secure ${request.headers.host}`), certificate)
  plain = await openHttpProxy()
  overTls = await openHttpProxy({ certificate })
  socks = await openSocksProxy()
  transport = openTransport(guard, { maxBytes: 100_000, connectTimeoutMs: 5_000 })
})
afterAll(async () => {
  await transport.close()
  await Promise.all([target, secure, plain, overTls, socks].map((server) => server.close()))
})

const through = async (proxy: string, url: string): Promise<string> => {
  const answer = await transport.send({ method: 'GET', url, proxy, verifyTls: false }, { signal })
  return (await answer.bytes()).toString()
}

const basic = `Basic ${Buffer.from('me:p@ss').toString('base64')}`

const failed = (words: string) => ({ code: 'target_failed', message: expect.stringMatching(words) as string })

describe('proxies', () => {
  test.for<[kind: string, proxy: () => TestProxy, signIn: string]>([
    ['http', () => plain, basic], ['https', () => overTls, basic], ['socks', () => socks, ''], ['socks5', () => socks, ''],
    ['socks5h', () => socks, ''], ['socks4', () => socks, 'me'], ['socks4a', () => socks, 'me'],
  ])('of the kind %s are asked for the pinned address of plain and secure targets', async ([kind, of, signIn]) => {
    const proxy = of()
    proxy.asked.splice(0)
    proxy.signIns.splice(0)
    const uri = `${kind}://me:p%40ss@proxy.example:${proxy.port}`
    expect(await through(uri, `http://shop.example:${target.port}/`)).toBe(`plain shop.example:${target.port}`)
    expect(await through(uri, `https://shop.example:${secure.port}/`)).toBe(`secure shop.example:${secure.port}`)
    expect(proxy.asked).toEqual([`127.0.0.1:${target.port}`, `127.0.0.1:${secure.port}`])
    if (signIn !== '') expect(proxy.signIns).toEqual([signIn, signIn])
  })

  test('keep their connections for the next request', async () => {
    plain.asked.splice(0)
    const uri = `http://proxy.example:${plain.port}`
    for (let at = 0; at < 10; at += 1) await through(uri, `http://keep.example:${target.port}/`)
    // A pool may open a second connection while the first one is still being put back.
    expect(plain.asked.length).toBeLessThanOrEqual(2)
  })

  test('are given their credentials by SOCKS5, and wrong ones are told but not shown', async () => {
    const careful = await openSocksProxy({ signIn: 'me:right' })
    expect(await through(`socks5://me:right@127.0.0.1:${careful.port}`, `${target.origin}/`)).toContain('plain')
    const wrong = through(`socks5://me:hush@127.0.0.1:${careful.port}`, `${target.origin}/`)
    await expect(wrong).rejects.toMatchObject(failed(`^The proxy 127.0.0.1:${careful.port} did not connect to the target: it wants other credentials.$`))
    await expect(wrong).rejects.not.toMatchObject({ cause: expect.anything() })
    await careful.close()
  })

  test.for<[answer: string, words: string]>([
    ['HTTP/1.1 407 Proxy Authentication Required\r\n\r\n', 'wants other credentials'], ['HTTP/1.1 403 Forbidden\r\n\r\n', 'status 403'],
    ['SSH-2.0-server\r\n\r\n', 'did not answer as an HTTP proxy'],
  ])('that answer %j are named in the failure', async ([refuse, words]) => {
    const proxy = await openHttpProxy({ refuse })
    const sent = through(`http://me:hush@127.0.0.1:${proxy.port}`, `${target.origin}/`)
    await expect(sent).rejects.toMatchObject(failed(`^The proxy 127.0.0.1:${proxy.port} .*${words}`))
    await expect(sent).rejects.not.toMatchObject({ message: expect.stringContaining('hush') })
    await proxy.close()
  })

  test.for(['http', 'socks4', 'socks5'])('that are gone or refuse are named in the failure: %s', async (kind) => {
    const proxy = kind === 'http' ? await openHttpProxy() : await openSocksProxy({ refuse: true })
    const uri = `${kind}://me:hush@127.0.0.1:${proxy.port}`
    if (kind !== 'http') await expect(through(uri, `${target.origin}/`)).rejects.toMatchObject(failed('^The proxy .*it refused'))
    await proxy.close()
    await expect(through(uri, `${target.origin}/`)).rejects.toMatchObject(failed(`^The proxy 127.0.0.1:${proxy.port} refused the connection.$`))
  })

  test('with a certificate that cannot be verified are refused', async () => {
    const sent = transport.send({ method: 'GET', url: `${target.origin}/`, proxy: `https://shop.example:${overTls.port}` }, { signal })
    await expect(sent).rejects.toMatchObject(failed('^The proxy .*self-signed'))
  })

  test.for(['http', 'https', 'socks4', 'socks5'])('never lead into a private network, neither by their own address nor by the target: %s', async (kind) => {
    const proxy = { http: plain, https: overTls, socks4: socks, socks5: socks }[kind] ?? plain
    proxy.asked.splice(0)
    for (const host of ['inner.example', '10.0.0.1', '169.254.169.254', '[::1]', 'metadata.google.internal']) {
      await expect(through(`${kind}://${host}:${proxy.port}`, `${target.origin}/`)).rejects.toMatchObject({ code: 'target_forbidden' })
      await expect(through(`${kind}://127.0.0.1:${proxy.port}`, `http://${host}/`)).rejects.toMatchObject({ code: 'target_forbidden' })
    }
    expect(proxy.asked).toEqual([])
  })

  test('with a name that does not resolve are named in the failure', async () => {
    await expect(through('http://nothing.invalid:8080', `${target.origin}/`)).rejects.toMatchObject(failed('^The proxy nothing.invalid:8080'))
  })

  test.for(['ftp://a:1', 'nonsense', 'http://', 'socks5://me:%ff@a:1', ''])('are not read from %j', async (uri) => {
    await expect(through(uri, `${target.origin}/`)).rejects.toMatchObject({ code: 'unprocessable' })
  })

  test('beyond fifty take the place of the one used longest ago, whose requests still end', async () => {
    const uri = (user: number): string => `http://u${user}@127.0.0.1:${plain.port}`
    const first = await transport.send({ method: 'GET', url: `${target.origin}/`, proxy: uri(0) }, { signal })
    plain.asked.splice(0)
    for (let user = 1; user <= 55; user += 1) await through(uri(user), `${target.origin}/`)
    expect((await first.bytes()).toString()).toContain('plain')
    expect(plain.asked.length).toBe(55)
    await through(uri(0), `${target.origin}/`)
    expect(plain.asked.length).toBe(56)
  })
})
