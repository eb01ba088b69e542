import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createClient, type Call } from '../../src/client/index.ts'
import { pause } from '../../src/platform/clock.ts'
import { readArguments } from '../../workers/browser/processes.ts'
import { usualScratchDir } from '../../workers/browser/launch.ts'
import { ownMark } from '../../workers/browser/mark.ts'
import { startBrowserEngine } from '../support/browserEngine.ts'
import { foldersIn, openTestPool, servePages, within } from '../support/browserPool.ts'
import { chromiumTree } from '../support/chromiumTree.ts'
import type { RunningEngine } from '../support/engine.ts'
import { makeMoodyBrowser } from '../support/moodyBrowser.ts'
import { strength } from './harness/strength.ts'

const jobMs = 5_000
const kills = strength(10, 30)
/** Twice the bounds of a machine that has nothing else to do. */
const graceMs = 10_000
const wholeMs = 20_000

const page = '<!doctype html><title>slow</title><script>window.later = new Promise((done) => setTimeout(done, 300, "done"))</script>'

/** How a job ended, and how long that took. */
interface Ended {
  readonly end: string
  readonly ms: number
}

const ends = new Set(['done', 'target_failed', 'job_timeout', 'unavailable'])

const isLateOrOdd = ({ end, ms }: Ended): boolean => !ends.has(end) || ms > jobMs + graceMs

async function runJob(call: Call, url: string): Promise<Ended> {
  const startedAt = performance.now()
  const running = call('krull.page.evaluate', { body: { url, expression: '() => later' } })
  const end = await running.then(({ result }) => String(result), ({ code }: { code: string }) => code)
  return { end, ms: performance.now() - startedAt }
}

/** Runs jobs, some at once, until it is told to stop; answers how each of them ended. */
function runJobs(call: Call, url: string): () => Promise<Ended[]> {
  const ended: Ended[] = []
  const over = new AbortController()
  const take = async (): Promise<void> => {
    while (!over.signal.aborted) ended.push(await runJob(call, url))
  }
  const taking = Promise.all(Array.from({ length: 4 }, take))
  return async () => {
    over.abort()
    await taking
    return ended
  }
}

/** Ends the first process of a browser, or one of its tabs, as a crash would. */
async function killOne(kind: 'browser' | 'renderer'): Promise<boolean> {
  const tree = await chromiumTree()
  const lines = await Promise.all(tree.map(async ({ pid, group }) => ({ pid, isFirst: pid === group, line: (await readArguments(pid)).join(' ') })))
  const victims = lines.filter(({ isFirst, line }) => (kind === 'browser' ? isFirst : line.includes('--type=renderer')))
  const victim = victims[Math.floor(Math.random() * victims.length)]
  if (victim) process.kill(victim.pid, 'SIGKILL')
  return victim !== undefined
}

/** The folders that the browsers of this process have now. */
async function ownFolders({ settings }: RunningEngine): Promise<string[]> {
  const mark = await ownMark()
  const names = await Promise.all([usualScratchDir, join(settings['DATA_DIR'] ?? '', 'browsers')].map(foldersIn))
  return names.flat().filter((name) => name.startsWith(mark))
}

/** A browser process with its API, and how to end them. */
async function openEngine(settings: Readonly<Record<string, string>> = {}): Promise<RunningEngine & { readonly call: Call }> {
  const engine = await startBrowserEngine({ BROWSER_CONCURRENCY: '2', BROWSER_JOB_MS: String(jobMs), ...settings })
  return { ...engine, call: createClient({ baseUrl: engine.url, apiKey: engine.adminKey }) }
}

describe('Chromium', { timeout: strength(120_000, 240_000) }, () => {
  test('killed every second, its first process and its tabs in turn, lets every job end in time and leaves nothing behind', async () => {
    const { url } = await servePages({ '/': page })
    const engine = await openEngine()
    const stop = runJobs(engine.call, url)
    for (let turn = 0; turn < kills; turn += 1) {
      await pause(1_000)
      await expect.poll(() => killOne(turn % 2 === 0 ? 'browser' : 'renderer'), { timeout: 20_000 }).toBe(true)
    }
    const ended = await stop()
    expect(ended.filter(isLateOrOdd)).toEqual([])
    expect(ended.map(({ end }) => end)).toContain('done')
    await expect.poll(async () => (await runJob(engine.call, url)).end, { timeout: wholeMs }).toBe('done')
    await expect.poll(() => ownFolders(engine), { timeout: wholeMs }).toHaveLength(1)
    await engine.close()
    expect([await chromiumTree(), await ownFolders(engine)]).toEqual([[], []])
  })

  test('whose program fails for a while lets every job end in time, and serves again when it is mended', async () => {
    const { url } = await servePages({ '/': page })
    const moody = await makeMoodyBrowser()
    await moody.mend()
    const engine = await openEngine({ CHROME_PATH: moody.path })
    expect((await runJob(engine.call, url)).end).toBe('done')
    await moody.spoil()
    await killOne('browser')
    const stop = runJobs(engine.call, url)
    await pause(strength(8_000, 20_000))
    const ended = stop()
    await moody.mend()
    await expect.poll(async () => (await runJob(engine.call, url)).end, { timeout: wholeMs }).toBe('done')
    expect((await ended).filter(isLateOrOdd)).toEqual([])
    await engine.close()
    expect([await chromiumTree(), await ownFolders(engine)]).toEqual([[], []])
  })

  test('that answers no more is ended, and the next job begins in another one', async () => {
    const pool = await openTestPool({ concurrency: 1 })
    const { url } = await servePages({ '/': page })
    const stuck = pool.use(within(3_000), async ({ page: tab }) => {
      await tab.goto(url)
      process.kill(pool.details().browsers[0]?.pid ?? 0, 'SIGSTOP')
      return tab.evaluate('1')
    })
    await expect(stuck).rejects.toMatchObject({ code: 'job_timeout' })
    await expect(pool.use(within(30_000), async ({ page: tab }) => (await tab.goto(url))?.status())).resolves.toBe(200)
  })
})
