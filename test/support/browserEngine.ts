import { inject } from 'vitest'
import { readEnv } from '../../src/platform/env.ts'
import { openLogger } from '../../src/platform/logger.ts'
import { openWorkerRedis } from '../../src/platform/redis.ts'
import { Shutdown } from '../../src/platform/shutdown.ts'
import { openHouse } from '../../src/services/openHouse.ts'
import { openBrowserProcessors } from '../../workers/browser/open.ts'
import { serveQueue } from '../../workers/lib/runWorker.ts'
import { startEngine, test as engineTest, type RunningEngine } from './engine.ts'
import { openTarget, type HttpTarget } from './httpTarget.ts'
import { answerPage } from './browserSite.ts'

/** Starts one browser worker with these settings, in this process. */
export async function startBrowserWorker(settings: Readonly<Record<string, string>>): Promise<{ readonly lines: readonly string[]; close(): Promise<void> }> {
  const env = readEnv({ REDIS_URL: inject('redisUrl'), BROWSER_CONCURRENCY: '2', ...settings })
  const lines: string[] = []
  const log = openLogger(env.logLevel, 'browser', { write: (line) => void lines.push(line) })
  const shutdown = new Shutdown(log)
  const house = openHouse(env, log, shutdown, openWorkerRedis)
  await serveQueue('browser', house, shutdown, env.browserConcurrency, openBrowserProcessors)
  return { lines, close: () => shutdown.run() }
}

/** Starts an API, a query worker and a browser worker, all in this process. */
export async function startBrowserEngine(settings: Readonly<Record<string, string>> = {}): Promise<RunningEngine> {
  const engine = await startEngine(settings)
  const worker = await startBrowserWorker(engine.settings)
  return {
    ...engine,
    workerLines: worker.lines,
    async close() {
      await worker.close()
      await engine.close()
    },
  }
}

interface SiteFixture {
  /** The test site, which pages are opened on. */
  site: HttpTarget
}

/** Vitest's `test` with an API, a query worker, a browser worker and a site for each file. */
export const test = engineTest.extend<SiteFixture & { api: RunningEngine }>({
  api: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads the needed fixtures from this pattern
    async ({}, use) => {
      const engine = await startBrowserEngine()
      await use(engine)
      await engine.close()
    },
    { scope: 'file' },
  ],
  site: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads the needed fixtures from this pattern
    async ({}, use) => {
      const site = await openTarget(answerPage)
      await use(site)
      await site.close()
    },
    { scope: 'file' },
  ],
})
