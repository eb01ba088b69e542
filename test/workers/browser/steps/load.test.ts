import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, it } from 'vitest'
import { devices } from '../../../../src/contract/krull/devices.ts'
import { deviceOf } from '../../../../workers/browser/steps/devices.ts'
import { tasks } from '../../../../workers/browser/steps/tasks.ts'
import { openBench, problemOf } from '../../../support/browserTasks.ts'

const asked: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = []
const lastHeaders = (path: string): IncomingHttpHeaders | undefined => asked.findLast((one) => one.path === path)?.headers

const bench = openBench({
  '/': (request, response) => {
    asked.push({ path: '/', headers: request.headers })
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>one</title><meta name=viewport content="width=device-width">
      <script>window.first = [document.cookie, localStorage.getItem('a'), localStorage.getItem('b'), sessionStorage.getItem('c')]</script>`)
  },
  '/empty404': (_request, response) => response.writeHead(404).end(),
  '/500': (_request, response) => response.writeHead(500, { 'content-type': 'text/html' }).end('<title>broken</title>'),
  '/204': (_request, response) => response.writeHead(204).end(),
  '/403': (_request, response) => response.writeHead(403, { 'content-type': 'text/plain' }).end('no'),
  '/loop': (_request, response) => response.writeHead(302, { location: '/loop' }).end(),
  '/away': (_request, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
  '/reset': (request) => request.socket.resetAndDestroy(),
  '/never': () => undefined,
  '/hop': (_request, response) => response.writeHead(302, { location: '/' }).end(),
  '/late': `<!doctype html><title>late</title><p id=there style="display:none">x</p><p id=goes>y</p><script>
    setTimeout(() => {
      document.body.insertAdjacentHTML('beforeend', '<div id=made><b>z</b></div>')
      there.style.display = 'block'
      goes.remove()
      window.done = true
    }, 300)</script>`,
  '/slow': '<title>slow</title><script>window.states = []; addEventListener("load", () => states.push("load"))</script><img src=/never>',
  '/fetches': '<script>setTimeout(() => fetch("/delayed").then(() => { window.came = true }), 100)</script>',
  '/delayed': (_request, response) => void setTimeout(() => response.end('x'), 200),
  '/parts': '<script src=/a/tracker.js></script><script src=/a/app.js></script><link rel=stylesheet href=/b/c/x.css><iframe src=/frame></iframe>',
  '/a/tracker.js': 'window.tracked = true',
  '/a/app.js': 'window.app = true',
  '/frame': 'frame',
  '/sites': (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(`<script>
    window.told = new Promise((done) => { addEventListener('message', ({ data }) => done(data)) })
    </script><iframe src="http://localhost:${bench.port}/site"></iframe>`),
  '/site': '<script>window.name = "script"</script><script src=/a/renames.js></script><script>top.postMessage(window.name, "*")</script>',
  '/a/renames.js': 'window.name = "renamed"',
})

const load = (path: string, more: object = {}, tools: object = {}) =>
  tasks['page.evaluate']({ url: `${bench.url}${path}`, expression: '0', ...more }, bench.tools(tools)).then(({ answer }) => answer)
const read = async (path: string, expression: string, more: object = {}): Promise<unknown> => (await load(path, { expression, ...more })).result
const failing = (path: string, more: object = {}, tools: object = {}) => problemOf(load(path, more, tools))
const failingUrl = (url: string) => problemOf(tasks['page.evaluate']({ url, expression: '0' }, bench.tools()))

describe('a page that is loaded', { timeout: 60_000 }, () => {
  it('sees a phone, a desktop, or a device on its side', async () => {
    const look = '[innerWidth, innerHeight, devicePixelRatio, "ontouchstart" in window, navigator.userAgent]'
    const seen = (name?: string): unknown[] => {
      const { viewport, userAgent } = deviceOf(name)
      return [viewport.width, viewport.height, viewport.deviceScaleFactor, viewport.hasTouch, userAgent]
    }
    await expect(read('/', look)).resolves.toEqual(seen())
    expect(deviceOf().viewport.isMobile).toBe(true)
    await expect(read('/', look, { device: 'Desktop' })).resolves.toEqual([1280, 800, 1, false, seen('Desktop')[4]])
    expect(lastHeaders('/')?.['user-agent']).toBe(deviceOf('Desktop').userAgent)
    await expect(read('/', look, { device: 'iPad landscape' })).resolves.toEqual(seen('iPad landscape'))
    expect(await failing('/', { device: 'Abacus' })).toMatchObject({ code: 'validation_failed', options: { faults: [{ path: '/device' }] } })
  })

  it('is sent the headers that were given', async () => {
    const headers = { 'X-Mine': 'a b', 'User-Agent': 'tester/1', 'Accept-Language': 'de' }
    await expect(read('/', 'navigator.userAgent', { headers })).resolves.toBe('tester/1')
    expect(lastHeaders('/')).toMatchObject({ 'x-mine': 'a b', 'user-agent': 'tester/1', 'accept-language': 'de' })
    expect(await failing('/', { headers: { Host: 'x' } })).toMatchObject({ code: 'validation_failed', options: { faults: [{ path: '/headers/Host' }] } })
  })

  it('finds cookies and storages before its first script', async () => {
    const expires = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 19)}.000Z`
    const far = { value: '2', expires, path: '/', domain: '127.0.0.1', httpOnly: true, size: 3, secure: false, session: false }
    const more = {
      cookieStorage: { c: { value: '1' }, far },
      localStorage: { a: 'text', b: { x: [1] } },
      sessionStorage: { c: 5 },
      session: true,
    }
    const { result, cookieStorage, localStorage, sessionStorage } = await load('/', { expression: 'window.first', ...more })
    expect(result).toEqual(['c=1', 'text', '{"x":[1]}', '5'])
    expect({ localStorage, sessionStorage }).toEqual({ localStorage: { a: 'text', b: '{"x":[1]}' }, sessionStorage: { c: '5' } })
    expect(cookieStorage?.['c']).toEqual({ value: '1', domain: '127.0.0.1', path: '/', size: 2, session: true, httpOnly: false, secure: false })
    expect(cookieStorage?.['far']).toEqual({ ...far, size: 4 })
    expect(lastHeaders('/')?.cookie?.split('; ').toSorted()).toEqual(['c=1', 'far=2'])
    await expect(read('/', 'window.first', { cookieStorage, localStorage, sessionStorage })).resolves.toEqual(['c=1', 'text', '{"x":[1]}', '5'])
    const unread = await failing('/', { cookieStorage: { c: { value: '1', expires: 'soon' } } })
    expect(unread).toMatchObject({ options: { faults: [{ path: '/cookieStorage/c/expires' }] } })
  })

  it('does without the requests that a filter blocks', async () => {
    const look = '[window.tracked, window.app, performance.getEntriesByName(location.origin + "/b/c/x.css").length, frames[0]?.document?.body?.textContent]'
    await expect(read('/parts', look)).resolves.toEqual([true, true, 1, 'frame'])
    await expect(read('/parts', 'window.tracked ?? window.app', { filter: ['/a/tracker.js', '**/app.js'] })).resolves.toBeNull()
    await expect(read('/parts', 'window.tracked && window.app', { filter: ['/a', 'a/*/tracker.js', 'ads.example', '*.css'] })).resolves.toBe(true)
    await expect(read('/parts', '[window.tracked, window.app]', { filter: ['127.0.0.1'] })).resolves.toEqual([null, null])
    await expect(read('/sites', 'window.told')).resolves.toBe('renamed')
    await expect(read('/sites', 'window.told', { filter: ['/a/*.js'] })).resolves.toBe('script')
  })

  it('is waited for: milliseconds, a selector, an XPath, a function, or a list of those', async () => {
    const start = Date.now()
    await load('/late', { wait: 700 })
    expect(Date.now() - start).toBeGreaterThanOrEqual(700)
    const holds = async (more: object): Promise<void> => expect(await read('/late', 'window.done', more)).toBe(true)
    await Promise.all([
      holds({ wait: '#made' }),
      holds({ wait: '//div[@id="made"]/b', polling: 'mutation' }),
      holds({ wait: '() => window.done', polling: 50 }),
      holds({ wait: ['body', 10, 'async () => window.done === true'] }),
      holds({ wait: '#there', visible: true }),
      holds({ wait: '#goes', hidden: true }),
    ])
  })

  it('fails when what is waited for does not come, throws or cannot be read', async () => {
    const late = await failing('/', { wait: '#missing' }, { navigationMs: 1_500 })
    expect(late).toMatchObject({ code: 'target_timeout', message: expect.stringContaining('#missing') as string })
    const broken = await failing('/', { wait: '() => { throw new Error("no") }' })
    expect(broken).toMatchObject({ code: 'expression_failed', message: 'The expression failed: Error: no' })
    expect(await failing('/', { wait: 'a[' })).toMatchObject({ code: 'validation_failed', options: { faults: [{ path: '/wait' }] } })
  })

  it('is ready by the event that was asked for', async () => {
    await Promise.all([
      expect(read('/slow', 'window.states', { ready: 'domload' })).resolves.toEqual([]),
      expect(failing('/slow', { ready: 'winload' }, { navigationMs: 2_000 })).resolves.toMatchObject({ code: 'target_timeout' }),
      expect(read('/fetches', 'window.came', { ready: 'idle' })).resolves.toBe(true),
      expect(read('/fetches', '1', { ready: 'net2' })).resolves.toBe(1),
    ])
  })
})

describe('what a target answers', { timeout: 60_000 }, () => {
  it('is a page whatever its status', async () => {
    expect(await load('/500')).toMatchObject({ page: { status: 500, title: 'broken' }, attempts: 1 })
    expect(await load('/403')).toMatchObject({ page: { status: 403 } })
    expect(await load('/empty404')).toMatchObject({ page: { status: 404 } })
    expect(await load('/hop')).toMatchObject({ page: { status: 200, url: `${bench.url}/`, title: 'one' } })
  })

  it('is target_failed where nothing can be shown', async () => {
    expect(await failing('/204')).toMatchObject({ code: 'target_failed' })
    expect(await failing('/reset')).toMatchObject({ code: 'target_failed', message: expect.stringContaining('broke off') as string })
    expect(await failing('/loop')).toMatchObject({ code: 'target_failed', message: expect.stringContaining('ERR_TOO_MANY_REDIRECTS') as string })
    expect(await failingUrl('http://127.0.0.1:2/')).toMatchObject({ code: 'target_failed' })
    expect(await failingUrl(`https://127.0.0.1:${bench.port}/`)).toMatchObject({ code: 'target_failed', message: expect.stringContaining('TLS') as string })
    expect(await failingUrl('http://name.invalid/')).toMatchObject({ code: 'target_failed' })
  })

  it('is target_timeout where it does not come in time', async () => {
    const late = await failing('/never', {}, { navigationMs: 1_000 })
    expect(late).toMatchObject({ code: 'target_timeout', message: `${bench.url}/never did not load within 1000 ms.` })
  })

  it('is target_forbidden where it may not be reached', async () => {
    expect(await failingUrl('http://10.0.0.1/')).toMatchObject({ code: 'target_forbidden' })
    expect(await failingUrl('https://10.0.0.1/')).toMatchObject({ code: 'target_forbidden' })
    expect(await failing('/away')).toMatchObject({ code: 'target_forbidden' })
    expect(await failingUrl('file:///etc/passwd')).toMatchObject({ code: 'target_forbidden' })
    expect(await failingUrl(`http://a:b@127.0.0.1:${bench.port}/`)).toMatchObject({ code: 'target_forbidden' })
  })
})

it('the list of devices has the desktop and phones that also lie on their side', () => {
  expect(devices.map(({ name }) => name)).toEqual(expect.arrayContaining(['Desktop', 'Pixel 5', 'Pixel 5 landscape']))
  expect(new Set(devices.map(({ name }) => name)).size).toBe(devices.length)
})
