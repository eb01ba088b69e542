import { createSocket } from 'node:dgram'
import { describe, expect, it, onTestFinished } from 'vitest'
import { EgressGuard } from '../../../src/platform/egress/guard.ts'
import { observe, openTestPool, servePages, within } from '../../support/browserPool.ts'

/** Every way in which a page can make its browser connect to a host. */
const attempts = (host: string): string => `<!doctype html>
<link rel=prefetch href="http://${host}/prefetch"><link rel=preconnect href="http://${host}"><link rel=dns-prefetch href="//${host}">
<link rel=stylesheet href="http://${host}/style.css"><link rel=modulepreload href="http://${host}/m.js"><link rel=icon href="http://${host}/icon.ico">
<script type=speculationrules>{"prefetch":[{"urls":["http://${host}/spec"]}],"prerender":[{"urls":["http://${host}/pre"]}]}</script>
<iframe src="http://${host}/frame"></iframe><img src="http://${host}/img"><video src="http://${host}/video"></video><object data="http://${host}/object"></object>
<iframe src="/redirect"></iframe><a id=ping href="#x" ping="http://${host}/ping">x</a>
<script>
const tries = []
const attempt = (work) => { try { tries.push(Promise.resolve(work()).catch(() => 0)) } catch { } }
attempt(() => fetch('http://${host}/fetch', { mode: 'no-cors' }))
attempt(() => fetch('https://${host}/tls', { mode: 'no-cors' }))
attempt(() => fetch('/redirect', { mode: 'no-cors' }))
attempt(() => navigator.sendBeacon('http://${host}/beacon', 'x'))
attempt(() => document.getElementById('ping').click())
attempt(() => new Promise((done) => { const socket = new WebSocket('ws://${host}/ws'); socket.onerror = socket.onopen = done }))
attempt(() => new Promise((done) => { const source = new EventSource('http://${host}/events'); source.onerror = source.onopen = done }))
attempt(() => new Promise((done) => { const worker = new Worker('/worker.js'); worker.onmessage = worker.onerror = done }))
attempt(async () => {
  await navigator.serviceWorker.register('/sw.js')
  const { active } = await navigator.serviceWorker.ready
  const channel = new MessageChannel()
  const answered = new Promise((done) => { channel.port1.onmessage = done })
  active.postMessage('go', [channel.port2])
  await answered
})
attempt(async () => {
  const transport = new WebTransport('https://${host}/wt')
  await transport.ready
})
attempt(async () => {
  const urls = ['stun:${host}', 'turn:${host}?transport=udp', 'turn:${host}?transport=tcp']
  const peer = new RTCPeerConnection({ iceServers: [{ urls, username: 'u', credential: 'c' }] })
  peer.createDataChannel('x')
  await peer.setLocalDescription(await peer.createOffer())
  await new Promise((done) => { peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && done(); setTimeout(done, 2000) })
})
window.tried = Promise.race([Promise.all(tries), new Promise((done) => setTimeout(done, 5000))]).then(() => tries.length)
</script>`

const sendAll = (host: string): string => `
const tries = () => Promise.allSettled([fetch('http://${host}/worker', { mode: 'no-cors' }), new Promise((done) => { try { const s = new WebSocket('ws://${host}/w'); s.onerror = s.onopen = done } catch { done() } })])`

/** Serves the page with its workers and redirect, all of which go for one host. */
const serveAttacker = (host: string) => servePages({
  '/': attempts(host),
  '/redirect': (_request, response) => void response.writeHead(302, { location: `http://${host}/redirected` }).end(),
  '/worker.js': (_request, response) => void response.writeHead(200, { 'content-type': 'text/javascript' }).end(`${sendAll(host)}\ntries().then(() => postMessage(1))`),
  '/sw.js': (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/javascript' }).end(`${sendAll(host)}\nonmessage = (event) => event.waitUntil(tries().then(() => event.ports[0].postMessage(1)))`),
})

/** A UDP port that counts packets. */
async function observePackets(port: number): Promise<() => number> {
  let seen = 0
  const socket = createSocket('udp4').on('message', () => (seen += 1))
  await new Promise<void>((bound) => socket.bind(port, '127.0.0.1', bound))
  onTestFinished(() => void socket.close())
  expect(socket.address().port).toBe(port)
  return () => seen
}

describe('a page that goes for a private host', { timeout: 60_000 }, () => {
  it('gets no connection to it by any way that a browser has, and the job knows what was refused', async () => {
    const target = await observe()
    const packets = await observePackets(target.port)
    const host = `127.0.0.1:${target.port}`
    const attacker = await serveAttacker(host)
    const pool = await openTestPool({ guard: new EgressGuard([`127.0.0.1:${attacker.port}`]) })
    const { tried, problem, refused } = await pool.use(within(40_000), async ({ page, egress }) => {
      await page.goto(attacker.url)
      const tried = await page.evaluate('tried')
      await page.goto(`http://${host}/`).catch(() => undefined)
      await page.goto(`${attacker.url}/redirect`).catch(() => undefined)
      return { tried, problem: egress.problemOf(`http://${host}/`), refused: egress.counts.refused }
    })
    expect(tried).toBe(11)
    expect(problem).toMatchObject({ code: 'target_forbidden' })
    expect(refused).toBeGreaterThan(8)
    expect({ connections: target.seen(), packets: packets() }).toEqual({ connections: 0, packets: 0 })
  })

  it('is seen by the same observer when that host is allowed', async () => {
    const target = await observe()
    const attacker = await serveAttacker(`127.0.0.1:${target.port}`)
    const pool = await openTestPool()
    await pool.use(within(40_000), async ({ page }) => {
      await page.goto(attacker.url)
      await page.evaluate('tried')
    })
    expect(target.seen()).toBeGreaterThan(5)
  })
})

/** An address that nobody would be asked for in these tests: the way to it leads through the private host. */
const elsewhere = 'http://203.0.113.7/'

describe('a job whose own proxy lies on a private host', { timeout: 60_000 }, () => {
  it.for(['http', 'https', 'socks', 'socks4', 'socks5', 'pac+http', 'pac+https'])('gets no connection to it by %s', async (scheme) => {
    const target = await observe()
    const pool = await openTestPool({ guard: new EgressGuard(['203.0.113.0/24']) })
    const proxy = `${scheme}://127.0.0.1:${target.port}${scheme.startsWith('pac') ? '/proxy.pac' : ''}`
    const problem = await pool.use(within(30_000, { proxy }), async ({ page, egress }) => {
      await page.goto(elsewhere).catch(() => undefined)
      return egress.problemOf(elsewhere)
    })
    expect(problem).toMatchObject({ code: 'target_forbidden' })
    expect(target.seen()).toBe(0)
  })

  it.for(['PROXY', 'HTTPS', 'SOCKS', 'SOCKS4', 'SOCKS5'])('gets no connection to it where a PAC file answers %s', async (word) => {
    const target = await observe()
    const pac = await servePages({ '/proxy.pac': `function FindProxyForURL() { return '${word} 127.0.0.1:${target.port}' }` })
    const pool = await openTestPool({ guard: new EgressGuard(['203.0.113.0/24', `127.0.0.1:${pac.port}`]) })
    const problem = await pool.use(within(30_000, { proxy: `pac+${pac.url}/proxy.pac` }), async ({ page, egress }) => {
      await page.goto(elsewhere).catch(() => undefined)
      return egress.problemOf(elsewhere)
    })
    expect(problem).toMatchObject({ code: 'target_forbidden' })
    expect(target.seen()).toBe(0)
  })

  it('gets no connection to it where a PAC file asks for it or says that the way is straight', async () => {
    const target = await observe()
    const host = `127.0.0.1:${target.port}`
    const pac = await servePages({ '/proxy.pac': `function FindProxyForURL(url, host) { isResolvable('127.0.0.1'); dnsResolve('localhost'); return 'DIRECT' }` })
    const pool = await openTestPool({ guard: new EgressGuard([`127.0.0.1:${pac.port}`]) })
    const problem = await pool.use(within(30_000, { proxy: `pac+${pac.url}/proxy.pac` }), async ({ page, egress }) => {
      await page.goto(`http://${host}/`).catch(() => undefined)
      return egress.problemOf(`http://${host}/`)
    })
    expect(problem).toMatchObject({ code: 'target_forbidden' })
    expect(target.seen()).toBe(0)
  })
})
