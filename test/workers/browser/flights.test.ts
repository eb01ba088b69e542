import { describe, expect, onTestFinished } from 'vitest'
import { createClient, type Call } from '../../../src/client/index.ts'
import type { Flight } from '../../../src/contract/krull/flight.ts'
import { sizeOf } from '../../../workers/browser/steps/imageSize.ts'
import { startBrowserEngine, test } from '../../support/browserEngine.ts'
import type { RunningApi } from '../../support/api.ts'
import { servePages } from '../../support/browserPool.ts'

interface Failed {
  readonly code: string
  readonly problem: { readonly jobId: string; readonly flight?: string }
}

const failureOf = (promise: Promise<unknown>): Promise<Failed> => promise.then(() => Promise.reject(new Error('it did not fail')), (error: Failed) => error)

async function imageAt({ url, adminKey }: RunningApi, path: string): Promise<Buffer> {
  const response = await fetch(`${url}${path}`, { headers: { authorization: `svc ${adminKey}` } })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
  return Buffer.from(await response.arrayBuffer())
}

const noisy = `<title>Noisy</title><h1>Hello</h1><script>
  for (let i = 0; i < 150; i++) console.log('line', i)
  console.warn('long ' + 'x'.repeat(5000))
  setTimeout(() => { throw new Error('thrown by the page') })
  fetch('/missing?access_token=t0ken-in-address').catch(() => {})
</script>`

describe('the flight of a failed browser job', () => {
  test('holds the last requests and lines of its page, the failure and a small picture', async ({ api, call }) => {
    const { url } = await servePages({ '/': noisy })
    const { code, problem: { jobId, flight } } = await failureOf(call('krull.page.evaluate', { body: { url: `${url}/`, expression: '() => nothing.there', device: 'Desktop', ready: 'idle' } }))
    expect([code, flight]).toEqual(['expression_failed', `/v1/jobs/browser/${jobId}/flight`])
    expect(await call('jobs.job.read', { params: { queue: 'browser', id: jobId } })).toMatchObject({ state: 'failed', flight })

    const { log } = await call('jobs.flight.read', { params: { queue: 'browser', id: jobId } })
    expect(log).toMatchObject({ version: '1.2', creator: { name: 'Quern' }, pages: [{ title: `${url}/` }], _error: { code: 'expression_failed' }, _thumbnail: `${flight}.png` })
    expect(log.browser.name).toMatch(/chrom/i)
    expect(log.entries.map(({ request, response }) => [request.method, request.url, response.status])).toEqual([
      ['GET', `${url}/`, 200], ['GET', `${url}/missing?access_token=********`, 404],
    ])
    const { _console: lines } = log
    expect(lines).toHaveLength(100)
    const texts = lines.map(({ text }) => text)
    expect(texts).toEqual(expect.arrayContaining(['line 149', expect.stringContaining('thrown by the page') as string]))
    expect(texts).not.toContain('line 0')
    expect(Math.max(...texts.map((text) => Buffer.byteLength(text)))).toBe(2_048)

    const picture = await imageAt(api, `${flight}.png`)
    expect(sizeOf(picture, 'png')).toEqual({ width: 640, height: 400 })
  })

  test('is small on every device, and there is none of a job that went well', async ({ api, call }) => {
    const { url } = await servePages({ '/': noisy })
    const { problem: { flight } } = await failureOf(call('krull.page.screenshot', { body: { url: `${url}/`, selector: '#nothing' } }))
    const { width, height } = sizeOf(await imageAt(api, `${flight}.png`), 'png')
    expect(Math.max(width, height)).toBeLessThanOrEqual(640)
    expect(width).toBeGreaterThan(100)
    await call('krull.page.evaluate', { body: { url: `${url}/`, expression: '1' } })
    expect(await api.house.db.flight.count({ where: { jobId: null } })).toBe(0)
    expect(await api.house.db.browserJob.count({ where: { status: 'completed' } })).toBeGreaterThan(0)
    expect(await api.house.db.flight.count()).toBe(await api.house.db.browserJob.count({ where: { status: 'failed' } }))
  })

  test('tells nothing of headers, cookies, storages, forms and passwords', async ({ api, call }) => {
    const secrets = ['header-secret-1', 'cookie-secret-2', 'storage-secret-3', 'form-secret-4', 'site-secret-5', 'bearer-secret-6']
    const page = (header: unknown): string => `<input id="p" onchange="fetch('/typed?p=' + this.value); console.log(this.value)"><script>
      console.log(document.cookie, localStorage.kept, '${String(header)}', 'http://user:hidden-password@host/')
    </script>`
    const { url } = await servePages({
      '/': (request, response) => void response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': `site=${secrets[4]}` }).end(page(request.headers['x-secret'])),
    })
    const session = { cookieStorage: { mine: { value: secrets[1] ?? '' } }, localStorage: { kept: JSON.stringify({ inner: secrets[2] }) } }
    const headers = { 'x-secret': secrets[0] ?? '', 'authorization': `Bearer ${secrets[5]}` }
    const evaluated = await failureOf(call('krull.page.evaluate', { body: { url: `${url}/`, expression: '() => nothing.there', ...session, headers } }))
    const typed = [['#p', secrets[3] ?? ''], ['#nothing', 'x']] as [string, string][]
    const submitted = await failureOf(call('krull.page.form', { body: { url: `${url}/`, selectorValuePairs: typed, submitSelector: '#go' } }))
    for (const { problem: { jobId } } of [evaluated, submitted]) {
      const text = JSON.stringify(await call('jobs.flight.read', { params: { queue: 'browser', id: jobId } }))
      expect(text).toContain('********')
      for (const secret of [...secrets, 'hidden-password']) expect(text).not.toContain(secret)
    }
    const kept = await api.house.db.flight.findMany()
    expect(JSON.stringify(kept)).not.toContain(url)
  })

  test('goes with the record of its job', async ({ api, call }) => {
    const { problem: { jobId } } = await failureOf(call('krull.expression.evaluate', { body: { expression: '() => { console.log("bye"); nothing.there }' } }))
    const params = { queue: 'browser', id: jobId }
    expect(await call('jobs.flight.read', { params })).toMatchObject({ log: { entries: [], _console: [{ text: 'bye' }] } })
    await expect(call('jobs.flight.image', { params })).rejects.toMatchObject({ status: 404 })
    await call('jobs.job.delete', { params }).catch(() => undefined)
    expect(await api.house.db.flight.count({ where: { jobId } })).toBe(0)
  })
})

describe('the flight of a failed browser command', () => {
  const commandsOf = async (call: Call, query: string) => {
    const { id } = await call('sirp.query.dispatchWait', { body: { query } })
    return { id, items: (await call('sirp.command.list', { params: { id } })).items.filter(({ command }) => command === 'open') }
  }

  test('is named by its record', async ({ api, call }) => {
    const { url } = await servePages({ '/': '<p>one</p>', '/slow': '<p>two</p><script>console.info("still here")</script>' })
    const { id, items } = await commandsOf(call, `seed '[{p: ""}, {p: "slow"}]' || open ${url}/$p$ --selector p --wait "() => location.pathname === '/'" --timeout 3000 --onError skip`)
    const link = `/v1/sirp/query/${id}/stages/1/commands/1/flight`
    expect(items.map(({ status, flight }) => [status, flight])).toEqual([['completed', undefined], ['skipped', link]])
    const { log }: Flight = await call('sirp.flight.read', { params: { id, stage: '1', index: '1' } })
    expect(log).toMatchObject({ pages: [{ title: `${url}/slow` }], _error: { code: 'target_timeout' }, _console: [{ level: 'info', text: 'still here' }], _thumbnail: `${link}.png` })
    expect(sizeOf(await imageAt(api, `${link}.png`), 'png').width).toBeGreaterThan(100)
    await expect(call('sirp.flight.read', { params: { id, stage: '1', index: '0' } })).rejects.toMatchObject({ status: 404 })
  })

  test('is kept of a query that failed, and of no more than twenty runs of a stage', async ({ api, call }) => {
    const { url } = await servePages({ '/': '<p>one</p>' })
    const failed = await commandsOf(call, `open ${url}/ --expression "() => nothing.there"`)
    expect(failed.items).toMatchObject([{ status: 'failed', flight: expect.any(String) as string }])
    const { items } = await commandsOf(call, `range 25 || open ${url}/ --expression "() => nothing.there" --onError skip`)
    expect(items.filter(({ flight }) => flight !== undefined)).toHaveLength(20)
    await call('sirp.query.delete', { params: { id: failed.id } }).catch(() => undefined)
    expect(await api.house.db.flight.count({ where: { queryId: failed.id } })).toBe(0)
  })
})

describe('a page that hangs', () => {
  test('leaves a flight without a picture when its job is out of time', async ({ site }) => {
    const engine = await startBrowserEngine({ BROWSER_JOB_MS: '3000' })
    onTestFinished(() => engine.close())
    const call: Call = createClient({ baseUrl: engine.url, apiKey: engine.adminKey })
    const started = performance.now()
    const { code, problem: { jobId } } = await failureOf(call('krull.page.evaluate', { body: { url: `${site.origin}/endless`, expression: '1' } }))
    expect(performance.now() - started).toBeLessThan(8_000)
    expect(code).toBe('job_timeout')
    const { log } = await call('jobs.flight.read', { params: { queue: 'browser', id: jobId } })
    expect(log.entries).toMatchObject([{ request: { url: `${site.origin}/endless` }, response: { status: 200 } }])
    expect(log).not.toHaveProperty('_thumbnail')
  }, 40_000)
})
