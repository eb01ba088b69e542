import { describe, expect } from 'vitest'
import type { Call } from '../../../src/client/index.ts'
import type { PageExpressionDraft } from '../../../src/contract/krull/pages.ts'
import { startBrowserEngine, test as engineTest } from '../../support/browserEngine.ts'
import { chromiumBytes, watchChromium } from '../../support/chromiumTree.ts'
import { answerHostile } from '../../support/hostileSite.ts'
import type { RunningEngine } from '../../support/engine.ts'
import { openTarget, type HttpTarget } from '../../support/httpTarget.ts'

const jobMs = 3_000
/** Twice the bound of a machine that has nothing else to do. */
const graceMs = 10_000
const gibibyte = 2 ** 30

/** One browser process with room for one job, short times, and a site of hostile pages. */
const test = engineTest.extend<{ site: HttpTarget; api: RunningEngine }>({
  api: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads the needed fixtures from this pattern
    async ({}, use) => {
      const engine = await startBrowserEngine({ BROWSER_CONCURRENCY: '1', BROWSER_JOB_MS: String(jobMs), BROWSER_NAV_MS: '2500' })
      await use(engine)
      await engine.close()
    },
    { scope: 'file' },
  ],
  site: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads the needed fixtures from this pattern
    async ({}, use) => {
      const site = await openTarget(answerHostile)
      await use(site)
      await site.close()
    },
    { scope: 'file' },
  ],
})

interface Hostile {
  readonly path: string
  /** What the job evaluates there; it waits for ever where nothing is said. */
  readonly expression?: string
  readonly ready?: 'idle' | 'domload'
  readonly screenshot?: true
  readonly ends: readonly string[]
}

const forever = '() => new Promise(() => {})'
const late = ['target_timeout', 'job_timeout']

const cases: Readonly<Record<string, Hostile>> = {
  'an endless loop': { path: '/loop', ends: late },
  'an endless loop after its load': { path: '/lateLoop', ends: late },
  'a bomb of buffers': { path: '/buffers', ends: [...late, 'target_failed'] },
  'a bomb of objects': { path: '/objects', ends: [...late, 'target_failed'] },
  'alerts without end': { path: '/alerts', ends: late },
  'a question before leaving that never ends': { path: '/stay', expression: `() => { location.href = '/calm'; return new Promise(() => {}) }`, ends: late },
  'requests without end': { path: '/busy', ready: 'idle', ends: late },
  'a body without end': { path: '/endless', ready: 'domload', ends: [...late, 'target_failed'] },
  'redirects without end': { path: '/around', ends: ['target_failed'] },
  'a redirect to a metadata address': { path: '/metadata', ends: ['target_forbidden'] },
  'a download': { path: '/file', ends: ['target_failed'] },
  'a thousand pop-ups': { path: '/popups', expression: '1', ends: ['1'] },
  'a value of 500 MB': { path: '/calm', expression: '"x".repeat(500_000_000)', ends: ['target_too_large', 'expression_failed'] },
  'a picture of 100,000 pixels a side': { path: '/tall', expression: '1', screenshot: true, ends: ['1'] },
  'frames in frames without end': { path: '/frames', ends: [...late, 'target_failed'] },
  'log lines without end': { path: '/log', ends: [...late, 'target_failed'] },
}

/** What a job answers, or the code it fails with, and how long that took. */
async function outcomeOf(call: Call, body: PageExpressionDraft): Promise<{ readonly end: string; readonly ms: number }> {
  const startedAt = performance.now()
  const end = await call('krull.page.evaluate', { body }).then(({ result }) => String(result), ({ code }: { code: string }) => code)
  return { end, ms: performance.now() - startedAt }
}

describe('a page with', { timeout: 60_000 }, () => {
  test.for(Object.entries(cases))('%s: its job ends in time, the next one works, and memory stays bounded', async ([, hostile], { call, site }) => {
    const { path, ends, expression = forever, ...rest } = hostile
    const most = watchChromium()
    const { end, ms } = await outcomeOf(call, { url: `${site.origin}${path}`, expression, ...rest })
    expect(ends).toContain(end)
    expect(ms).toBeLessThan(jobMs + graceMs)
    const next = await outcomeOf(call, { url: `${site.origin}/calm`, expression: 'document.title' })
    expect(next.end).toBe('calm')
    expect(next.ms).toBeLessThan(15_000)
    expect(await most()).toBeLessThan(3 * gibibyte)
    await expect.poll(chromiumBytes, { timeout: 15_000 }).toBeLessThan(gibibyte)
  })
})
