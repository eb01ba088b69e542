import { readFile } from 'node:fs/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Problem } from '../../../src/platform/errors.ts'
import { readArguments } from '../../../workers/browser/processes.ts'
import { foldersIn, openTestPool, processesOf, servePages, within } from '../../support/browserPool.ts'
import { openHttpProxy } from '../../support/httpProxy.ts'

const codeOf = (error: unknown): string => (error instanceof Problem ? error.code : String(error))

/** How long a call took, and with which code it failed. */
async function failing(promise: Promise<unknown>): Promise<{ readonly code: string; readonly message: string; readonly ms: number }> {
  const start = Date.now()
  const error = await promise.then(() => new Error('it did not fail'), (reason: unknown) => reason)
  return { code: codeOf(error), message: error instanceof Error ? error.message : '', ms: Date.now() - start }
}

const hello = '<!doctype html><title>hello</title><p class=a>one</p><p class=a>two</p>'

describe('a job in the pool', { timeout: 60_000 }, () => {
  it('gets a context of its own: no cookie, storage or cache of another job', async () => {
    const pool = await openTestPool({ concurrency: 1 })
    const { url } = await servePages({ '/': hello })
    const write = 'document.cookie="a=1"; localStorage.setItem("a","1"); sessionStorage.setItem("a","1"); caches.open("a").then(() => 1)'
    const read = 'caches.keys().then((keys) => [document.cookie, localStorage.length, sessionStorage.length, keys.length])'
    const visit = (script: string) => pool.use(within(30_000), async ({ page }) => {
      await page.goto(url)
      return page.evaluate(script)
    })
    await visit(write)
    await expect(visit(read)).resolves.toEqual(['', 0, 0, 0])
    expect(pool.details()).toMatchObject({ concurrency: 1, done: 2, failed: 0, lastErrors: [] })
  })

  it('answers what the work answers, and fails as the work fails', async () => {
    const pool = await openTestPool()
    await expect(pool.use(within(30_000), ({ page }) => page.evaluate('6 * 7'))).resolves.toBe(42)
    await expect(pool.use(within(30_000), () => Promise.reject(new Problem('selector_not_found', 'Nothing.')))).rejects.toMatchObject({ code: 'selector_not_found' })
    await expect(pool.use(within(30_000), ({ page }) => page.evaluate('missing'))).rejects.toThrow('missing is not defined')
  })

  it('ends at its deadline in an endless loop, and the next job works in the same browser', async () => {
    const pool = await openTestPool({ concurrency: 1 })
    const { url } = await servePages({ '/': hello, '/loop': '<script>setTimeout(() => { for (;;); }, 10)</script>' })
    await pool.use(within(30_000), ({ page }) => page.goto(url))
    const { code, ms } = await failing(pool.use(within(1_500), async ({ page }) => {
      await page.goto(`${url}/loop`)
      return page.evaluate('new Promise(() => undefined)')
    }))
    expect(code).toBe('job_timeout')
    expect(ms).toBeLessThan(6_500)
    await expect(pool.use(within(30_000), async ({ page }) => (await page.goto(url))?.status())).resolves.toBe(200)
    expect(pool.details().browsers).toHaveLength(1)
  })

  it('ends at its deadline in a loop of alerts; questions before leaving are passed over', async () => {
    const pool = await openTestPool()
    const leaving = '<script>addEventListener("beforeunload", (event) => { event.preventDefault(); event.returnValue = "x" })</script><button>x</button>'
    const { url } = await servePages({ '/': hello, '/alerts': '<script>setTimeout(() => { for (;;) alert(1) }, 10)</script>', '/stay': leaving })
    const alerts = failing(pool.use(within(2_000), async ({ page }) => {
      await page.goto(`${url}/alerts`)
      return page.evaluate('new Promise(() => undefined)')
    }))
    await expect(alerts).resolves.toMatchObject({ code: 'job_timeout' })
    const left = await pool.use(within(30_000), async ({ page }) => {
      await page.goto(`${url}/stay`)
      await page.click('button')
      await page.goto(url)
      return page.title()
    })
    expect(left).toBe('hello')
  })

  it('opens no windows, gives no permissions and keeps no downloads', async () => {
    const pool = await openTestPool()
    const pops = '<script>window.opened = 0; for (let i = 0; i < 1000; i++) if (open("/", "w" + i)) opened++</script>'
    const { url } = await servePages({
      '/': hello, '/pops': pops,
      '/file': (_request, response) => void response.writeHead(200, { 'content-disposition': 'attachment; filename=a.bin', 'content-type': 'application/octet-stream' }).end('x'),
    })
    const seen = await pool.use(within(30_000), async ({ page, context }) => {
      await page.goto(`${url}/pops`)
      const state = await page.evaluate('navigator.permissions.query({ name: "geolocation" }).then(({ state }) => state)')
      const download = await page.goto(`${url}/file`).then(() => 'loaded', (error: Error) => error.message)
      return { pages: (await context.pages()).length, state, download }
    })
    expect(seen).toMatchObject({ pages: 1, state: 'denied', download: expect.stringContaining('net::ERR_ABORTED') as string })
  })

  it('fails with target_failed when its tab crashes, and the next job works', async () => {
    const pool = await openTestPool()
    const { code, message, ms } = await failing(pool.use(within(30_000), ({ page }) => page.goto('chrome://crash')))
    expect({ code, message }).toEqual({ code: 'target_failed', message: 'The page crashed the browser tab.' })
    expect(ms).toBeLessThan(20_000)
    await expect(pool.use(within(30_000), ({ page }) => page.evaluate('1'))).resolves.toBe(1)
  })

  it('fails with target_failed when its browser is killed; the pool is whole again and leaves nothing of the old one', async () => {
    const pool = await openTestPool()
    const pid = await pool.use(within(30_000), async () => pool.details().browsers[0]?.pid ?? 0)
    const job = failing(pool.use(within(30_000), async ({ page }) => {
      process.kill(pid, 'SIGKILL')
      return page.evaluate('new Promise(() => undefined)')
    }))
    await expect(job).resolves.toMatchObject({ code: 'target_failed' })
    await expect(pool.use(within(30_000), ({ page }) => page.evaluate('1'))).resolves.toBe(1)
    await expect.poll(() => processesOf(pid), { timeout: 5_000 }).toEqual([])
    await expect.poll(() => foldersIn(pool.scratchDir), { timeout: 5_000 }).toHaveLength(1)
    expect(pool.details().lastErrors[0]?.detail).toContain('ended unexpectedly')
  })

  it('ends with the reason of its caller, whether it waits or runs', async () => {
    const pool = await openTestPool({ concurrency: 1 })
    const caller = new AbortController()
    const need = within(30_000, { signal: caller.signal })
    const stuck = () => pool.use(need, ({ page }) => page.evaluate('new Promise(() => undefined)'))
    const [running, waiting] = [stuck(), stuck()]
    await expect.poll(() => pool.details().active, { timeout: 15_000 }).toBe(1)
    caller.abort(new Problem('conflict', 'Cancelled.'))
    await expect(running).rejects.toMatchObject({ code: 'conflict' })
    await expect(waiting).rejects.toMatchObject({ code: 'conflict' })
    await expect(stuck()).rejects.toMatchObject({ code: 'conflict' })
    await expect(pool.use(within(30_000), ({ page }) => page.evaluate('1'))).resolves.toBe(1)
  })

  it('waits behind other jobs, and its deadline counts the waiting', async () => {
    const pool = await openTestPool({ concurrency: 1 })
    const caller = new AbortController()
    const first = pool.use(within(30_000, { signal: caller.signal }), () => new Promise(() => undefined)).catch(codeOf)
    await expect(failing(pool.use(within(500), () => Promise.resolve(1)))).resolves.toMatchObject({ code: 'job_timeout' })
    caller.abort(new Problem('conflict', 'Over.'))
    await expect(first).resolves.toBe('conflict')
  })

  it('connects to nothing when it is offline', async () => {
    const pool = await openTestPool()
    const { url } = await servePages({ '/': hello })
    const problem = await pool.use(within(30_000, { offline: true }), async ({ page, egress }) => {
      await page.goto(url).catch(() => undefined)
      return egress.problemOf(url)
    })
    expect(problem).toMatchObject({ code: 'target_forbidden' })
  })
})

describe('a job with a proxy of its user', { timeout: 60_000 }, () => {
  it('goes through it, also where a PAC file names it', async () => {
    const upstream = await openHttpProxy()
    onTestFinished(() => upstream.close())
    const { url, port } = await servePages({ '/': hello, '/proxy.pac': `function FindProxyForURL() { return 'PROXY 127.0.0.1:${upstream.port}' }` })
    const pool = await openTestPool()
    const title = (proxy: string) => pool.use(within(30_000, { proxy }), async ({ page }) => {
      await page.goto(url)
      return page.title()
    })
    await expect(title(`http://127.0.0.1:${upstream.port}`)).resolves.toBe('hello')
    expect(new Set(upstream.asked)).toEqual(new Set([`127.0.0.1:${port}`]))
    const before = upstream.asked.length
    await expect(title(`pac+${url}/proxy.pac`)).resolves.toBe('hello')
    expect(upstream.asked.length).toBeGreaterThan(before)
    await expect(title('nonsense')).rejects.toMatchObject({ code: 'unprocessable' })
  })
})

describe('the browsers of a pool', { timeout: 60_000 }, () => {
  it('run with their sandbox on, as a user without rights, with nothing of our environment', async () => {
    const pool = await openTestPool()
    await pool.use(within(30_000), ({ page }) => page.evaluate('1'))
    const { browsers: [browser], sandbox } = pool.details()
    expect(sandbox).toBe(true)
    expect(browser).toMatchObject({ sandbox: true, open: true, version: expect.stringContaining('Chrome') as string })
    const environment = await readFile(`/proc/${browser?.pid}/environ`, 'utf8')
    expect(environment.split('\0').map((line) => line.split('=')[0]).filter(Boolean).toSorted()).toEqual(['HOME', 'LANG', 'PATH', 'TMPDIR', 'XDG_CACHE_HOME'])
    const pids = processesOf(browser?.pid ?? 0)
    const words = await Promise.all(pids.map(async (pid) => ({ pid, line: (await readArguments(pid)).join(' ') })))
    const renderer = words.find(({ line }) => line.includes('--type=renderer'))
    const status = await readFile(`/proc/${renderer?.pid}/status`, 'utf8')
    expect(words.filter(({ line }) => line.includes('--no-sandbox'))).toEqual([])
    expect(/^Seccomp:\s+(\d)/m.exec(status)?.[1]).toBe('2')
    expect(/^Uid:\s+(\d+)/m.exec(status)?.[1]).not.toBe('0')
  })

  it('make room for new ones after so many jobs, while jobs run on', async () => {
    const pool = await openTestPool({ recycle: { jobs: 3 } })
    const pids = new Set<number>()
    const job = () => pool.use(within(30_000), async ({ page }) => {
      for (const { pid } of pool.details().browsers) pids.add(pid)
      return page.evaluate('new Promise((done) => setTimeout(done, 200, 1))')
    })
    for (let round = 0; round < 5; round++) await expect(Promise.all([job(), job()])).resolves.toEqual([1, 1])
    await expect.poll(() => pool.details().browsers.length, { timeout: 10_000 }).toBe(1)
    expect(pids.size).toBeGreaterThanOrEqual(2)
    await expect.poll(() => foldersIn(pool.scratchDir), { timeout: 10_000 }).toHaveLength(1)
    expect(pool.details()).toMatchObject({ done: 10, failed: 0, lastErrors: [] })
  })

  it('make room for new ones when they hold too much memory', async () => {
    const pool = await openTestPool({ recycle: { memoryBytes: 1 }, inspectEveryMs: 300 })
    const pidNow = () => pool.use(within(30_000), async () => pool.details().browsers[0]?.pid)
    const first = await pidNow()
    await expect.poll(pidNow, { timeout: 15_000 }).not.toBe(first)
  })

  it('leave no process and no folder when the pool is closed; jobs end with unavailable', async () => {
    const pool = await openTestPool()
    const pid = await pool.use(within(30_000), async () => pool.details().browsers[0]?.pid ?? 0)
    const running = failing(pool.use(within(30_000), () => new Promise(() => undefined)))
    await pool.close()
    await expect(running).resolves.toMatchObject({ code: 'unavailable' })
    await expect(failing(pool.use(within(1_000), () => Promise.resolve(1)))).resolves.toMatchObject({ code: 'unavailable' })
    expect(processesOf(pid)).toEqual([])
    expect(await foldersIn(pool.scratchDir)).toEqual([])
  })
})
