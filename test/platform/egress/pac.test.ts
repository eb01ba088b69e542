import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EgressGuard, type Resolve } from '../../../src/platform/egress/guard.ts'
import { openTransport, type Transport } from '../../../src/platform/egress/transport.ts'
import { openHttpProxy, type TestProxy } from '../../support/httpProxy.ts'
import { openTarget, type HttpTarget } from '../../support/httpTarget.ts'
import { openSocksProxy } from '../../support/socksProxy.ts'

const signal = new AbortController().signal
const resolve: Resolve = (host) => {
  if (!host.endsWith('.example')) return Promise.reject(new Error('ENOTFOUND'))
  return Promise.resolve([host.startsWith('inner') ? '10.0.0.1' : '127.0.0.1'])
}

let target: HttpTarget
let files: HttpTarget
let proxy: TestProxy
let socks: TestProxy
let transport: Transport
const texts = new Map<string, string>()
let count = 0

beforeAll(async () => {
  target = await openTarget((_, response) => void response.end('target'))
  files = await openTarget((request, response) => {
    const text = texts.get(request.url ?? '')
    response.writeHead(text === undefined ? 404 : 200).end(text)
  })
  proxy = await openHttpProxy()
  socks = await openSocksProxy()
  transport = openTransport(new EgressGuard(['127.0.0.1/32'], resolve), { maxBytes: 100_000 })
})
afterAll(async () => {
  await transport.close()
  await Promise.all([target, files, proxy, socks].map((server) => server.close()))
})
beforeEach(() => {
  proxy.asked.splice(0)
  socks.asked.splice(0)
})

/** The URI of a new file with this body of FindProxyForURL. */
function pac(body: string): string {
  count += 1
  texts.set(`/${count}.pac`, `function FindProxyForURL(url, host) { ${body} }`)
  return `pac+${files.origin}/${count}.pac`
}

const send = async (uri: string, url = `http://shop.example:${target.port}/path?a=1`): Promise<string> =>
  (await (await transport.send({ method: 'GET', url, proxy: uri }, { signal })).bytes()).toString()

/** What an expression of a file is, seen by whether it names a way that works. */
const isTrue = async (expression: string): Promise<boolean> => (await send(pac(`return (${expression}) ? 'DIRECT' : 'nothing'`))) === 'target'

describe('PAC files', () => {
  test('choose the proxy by the address', async () => {
    const uri = pac(`return host === 'shop.example' ? 'PROXY 127.0.0.1:${proxy.port}' : host === 'sock.example' ? 'SOCKS5 127.0.0.1:${socks.port}' : 'DIRECT'`)
    expect(await send(uri)).toBe('target')
    expect([proxy.asked.length, socks.asked.length]).toEqual([1, 0])
    expect(await send(uri, `http://sock.example:${target.port}/`)).toBe('target')
    expect([proxy.asked.length, socks.asked.length]).toEqual([1, 1])
    expect(await send(uri.replace('pac+http:', 'pac:'), `http://other.example:${target.port}/`)).toBe('target')
    expect([proxy.asked.length, socks.asked.length]).toEqual([1, 1])
  })

  test('are fetched once and kept', async () => {
    files.seen.splice(0)
    const uri = pac(`return 'DIRECT'`)
    await Promise.all(Array.from({ length: 20 }, () => send(uri)))
    expect(files.seen.length).toBe(1)
  })

  test('may name several ways, which are tried in order', async () => {
    const gone = await openHttpProxy()
    await gone.close()
    expect(await send(pac(`return 'PROXY 127.0.0.1:${gone.port}; nonsense; SOCKS 127.0.0.1:${socks.port}; DIRECT'`))).toBe('target')
    expect(socks.asked).toEqual([`127.0.0.1:${target.port}`])
    await expect(send(pac(`return 'PROXY 127.0.0.1:${gone.port}'`))).rejects.toMatchObject({ code: 'target_failed', message: expect.stringMatching(/^The proxy/) })
  })

  test.for([
    `url === 'http://shop.example:PORT/path?a=1'`,
    `isPlainHostName('shop') && !isPlainHostName(host)`, `dnsDomainIs(host, '.example')`,
    `localHostOrDomainIs('www', 'www.shop.example')`,
    `dnsDomainLevels('a.b.c') === 2`, `shExpMatch(url, '*/path?a=?') && !shExpMatch(host, 'a.b') && shExpMatch('a.b', 'a.*')`,
    `isInNet('10.1.2.3', '10.1.0.0', '255.255.0.0')`,
    `isInNet(host, '127.0.0.0', '255.0.0.0')`, `dnsResolve('a.example') === '127.0.0.1' && dnsResolve('b.example') === '127.0.0.1'`,
    `!isResolvable('inner.example') && !isResolvable('nothing.invalid')`,
    `myIpAddress() === '127.0.0.1'`, `weekdayRange('SUN', 'SAT') && weekdayRange('SUN', 'SAT', 'GMT')`,
    `dateRange(1, 31) && dateRange('JAN', 'DEC') && dateRange(2020, 2999) && !dateRange(2001)`,
    `dateRange(1, 'JAN', 2020, 31, 'DEC', 2999, 'GMT') && !dateRange('JAN', 2001, 'MAR', 2002)`,
    `timeRange(0, 23) && timeRange(0, 0, 23, 59) && timeRange(0, 0, 0, 23, 59, 59, 'GMT')`,
    `typeof process === 'undefined' && typeof require === 'undefined' && typeof fetch === 'undefined'`,
  ])('have the usual functions: %s', async (expression) => {
    expect(await isTrue(expression.replace('PORT', String(target.port)))).toBe(true)
  })

  test.for<[body: string, words: string]>([
    ['for (;;);', 'interrupted'],
    ['var all = []; for (;;) all.push("x".repeat(100000) + all.length)', 'out of memory'],
    ['return nothing.at.all', 'not defined'], ['throw "up"', 'up'],
    ['return (function again() { return again() + 1 })()', 'stack'], ['return /(a+)+$/.test("a".repeat(60) + "b")', 'interrupted'],
    ['var all = []; all.length = 4294967295; return all.indexOf(1)', 'took too long'],
  ])('that misbehave fail in time and leave the others alone: %s', async ([body, words]) => {
    await expect(send(pac(body))).rejects.toMatchObject({ code: 'target_failed', message: expect.stringContaining(words) })
    expect(await isTrue('true')).toBe(true)
  })

  test('beyond those that are kept still answer, in any order', async () => {
    const uris = Array.from({ length: 12 }, (_, at) => pac(at === 8 ? 'throw "up"' : `return isResolvable('a${at}.example') ? 'DIRECT' : 'nothing'`))
    for (const at of [0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 9, 10, 11, 0, 5, 7]) {
      const sent = send(uris[at] ?? '')
      if (at === 8) await expect(sent).rejects.toMatchObject({ code: 'target_failed' })
      else expect(await sent).toBe('target')
    }
  })

  test('do not hold up this process while they run', async () => {
    let beats = 0
    const beat = setInterval(() => void (beats += 1), 10)
    await expect(send(pac('for (;;);'))).rejects.toMatchObject({ code: 'target_failed' })
    clearInterval(beat)
    expect(beats).toBeGreaterThan(3)
  })

  test('that are missing, too large or no files at all are told', async () => {
    await expect(send(`pac+${files.origin}/none.pac`)).rejects.toMatchObject({ code: 'target_failed', message: expect.stringContaining('404') })
    const large = pac(`return 'DIRECT' // ${'x'.repeat(1_100_000)}`)
    await expect(send(large)).rejects.toMatchObject({ code: 'target_too_large' })
    texts.set('/none.pac', `function FindProxyForURL() { return null }`)
    expect(await send(`pac+${files.origin}/none.pac`)).toBe('target')
  })

  test.for(['http://169.254.169.254/a.pac', 'http://inner.example/a.pac', 'http://[::1]/a.pac', 'http://user:hush@a.example/a.pac'])('are not fetched from %s', async (address) => {
    await expect(send(`pac+${address}`)).rejects.toMatchObject({ code: 'target_forbidden' })
  })

  test.for(['PROXY 10.0.0.1:80', 'SOCKS 169.254.169.254:80; DIRECT', 'HTTPS inner.example:443'])('cannot name a private proxy: %s', async (answer) => {
    await expect(send(pac(`return '${answer}'`))).rejects.toMatchObject({ code: 'target_forbidden' })
  })

  test('cannot open the way to a private target', async () => {
    await expect(send(pac(`return 'PROXY 127.0.0.1:${proxy.port}'`), 'http://inner.example/')).rejects.toMatchObject({ code: 'target_forbidden' })
    await expect(send(pac(`return 'DIRECT'`), 'http://inner.example/')).rejects.toMatchObject({ code: 'target_forbidden' })
    expect(proxy.asked).toEqual([])
  })

  test('are waited for no longer than the signal allows', async () => {
    const abort = new AbortController()
    const sent = transport.send({ method: 'GET', url: `${target.origin}/`, proxy: pac('for (;;);') }, { signal: abort.signal })
    abort.abort(new Error('cancelled'))
    await expect(sent).rejects.toThrow('cancelled')
  })
})
