import { describe, expect } from 'vitest'
import { startBrowserEngine, test } from '../support/browserEngine.ts'
import { createClient } from '../../src/client/index.ts'
import { openTarget } from '../support/httpTarget.ts'
import { expectProblem } from '../support/problems.ts'

describe('krull.page.evaluate', () => {
  test('runs an expression in the page, with what is set beforehand', async ({ call, site }) => {
    const body = {
      url: `${site.origin}/a`,
      expression: '() => [document.title, localStorage.theme, sessionStorage.n, document.cookie, navigator.userAgent]',
      device: 'Desktop', localStorage: { theme: 'dark' }, sessionStorage: { n: 1 }, cookieStorage: { who: { value: 'ada' } }, headers: { 'X-Test': 'yes' },
    }
    const { result, page } = await call('krull.page.evaluate', { body })
    expect(result).toEqual(['Page A', 'dark', '1', 'who=ada', expect.stringContaining('X11') as string])
    expect(page).toMatchObject({ url: `${site.origin}/a`, status: 200 })
    expect(site.headers).toMatchObject({ cookie: 'who=ada' })
  })

  test('sees nothing of an earlier job', async ({ call, site }) => {
    const url = `${site.origin}/cookie`
    await call('krull.page.evaluate', { body: { url, expression: '() => { window.name = "kept"; localStorage.other = 1 }' } })
    const { result } = await call('krull.page.evaluate', { body: { url: `${site.origin}/a`, expression: '() => [document.cookie, localStorage.length, window.name]' } })
    expect(result).toEqual(['', 0, ''])
  })

  test('takes a page that answers an error for a page', async ({ call, site }) => {
    expect(await call('krull.page.evaluate', { body: { url: `${site.origin}/status?code=500`, expression: '() => document.title' } })).toMatchObject({ result: 'Status', page: { status: 500 } })
  })

  test('answers a redirect to a metadata address by a 403, and one without end by a 502', async ({ api, sendAs, site }) => {
    const run = (path: string) => sendAs(api.adminKey, 'krull.page.evaluate', { body: { url: `${site.origin}${path}`, expression: '1' } })
    await expectProblem(await run('/metadata'), 'target_forbidden')
    await expectProblem(await run('/loop'), 'target_failed')
  })

  test('answers a target that refuses connections, or has no such name, by a 502', async ({ api, sendAs }) => {
    const gone = await openTarget((_request, response) => void response.end())
    await gone.close()
    for (const url of [`${gone.origin}/`, 'http://nothing.invalid/', 'http://127.0.0.1:1/']) {
      await expectProblem(await sendAs(api.adminKey, 'krull.page.evaluate', { body: { url, expression: '1', retry: 1 } }), 'target_failed')
    }
  })

  test('answers a private address by a 403, also at a port that browsers do not open', async ({ api, sendAs }) => {
    for (const url of ['http://10.0.0.1/', 'http://10.0.0.1:1/']) {
      await expectProblem(await sendAs(api.adminKey, 'krull.page.evaluate', { body: { url, expression: '1' } }), 'target_forbidden')
    }
  })

  test('ends jobs of hostile pages in time, and goes on with the next', async ({ site }) => {
    const engine = await startBrowserEngine({ BROWSER_JOB_MS: '4000', BROWSER_NAV_MS: '2000' })
    const call = createClient({ baseUrl: engine.url, apiKey: engine.adminKey })
    const code = (path: string, expression = '() => 1') => call('krull.page.evaluate', { body: { url: `${site.origin}${path}`, expression } }).then(() => 'fine', (error: { code: string }) => error.code)
    try {
      const started = performance.now()
      expect(await code('/a', '() => { for (;;) {} }')).toBe('job_timeout')
      expect(performance.now() - started).toBeLessThan(9_000)
      expect(await code('/never')).toBe('target_timeout')
      expect(await code('/alerts')).toBe('fine')
      expect(await code('/popups')).toBe('fine')
      expect(await code('/a', '() => "x".repeat(20 * 2 ** 20)')).toBe('expression_failed')
      expect(await code('/endless')).toBeOneOf(['target_timeout', 'job_timeout'])
      expect(await code('/a')).toBe('fine')
    } finally {
      await engine.close()
    }
  }, 60_000)
})
