import { inject } from 'vitest'
import { readEnv } from '../../src/platform/env.ts'
import { openLogger } from '../../src/platform/logger.ts'
import { openWorkerRedis } from '../../src/platform/redis.ts'
import { Shutdown } from '../../src/platform/shutdown.ts'
import { openHouse } from '../../src/services/openHouse.ts'
import { serveQueue } from '../../workers/lib/runWorker.ts'
import { openQueryProcessors } from '../../workers/query/open.ts'
import { startApi, test as apiTest, type RunningApi } from './api.ts'
import { makeTestDir } from './testDir.ts'

/** An API with one query worker beside it, both in this process. */
export interface RunningEngine extends RunningApi {
  /** Every line that the worker has logged. */
  readonly workerLines: readonly string[]
}

/** Starts an API and a query worker on one database and one Redis; queries may reach servers on loopback. */
export async function startEngine(given: Readonly<Record<string, string>> = {}): Promise<RunningEngine> {
  const settings = { EGRESS_ALLOW: '127.0.0.0/8', POLICY_DEFAULT: 'off', DATA_DIR: await makeTestDir(), ...given }
  const api = await startApi(settings)
  const worker = await startQueryWorker(api.settings)
  return {
    ...api,
    workerLines: worker.lines,
    async close() {
      await worker.close()
      await api.close()
    },
  }
}

/** Starts one more query worker with these settings, in this process. */
export async function startQueryWorker(settings: Readonly<Record<string, string>>): Promise<{ readonly lines: readonly string[]; close(): Promise<void> }> {
  const env = readEnv({ REDIS_URL: inject('redisUrl'), ...settings })
  const lines: string[] = []
  const log = openLogger(env.logLevel, 'query', { write: (line) => void lines.push(line) })
  const shutdown = new Shutdown(log)
  const house = openHouse(env, log, shutdown, openWorkerRedis)
  await serveQueue('query', house, shutdown, env.queryConcurrency, openQueryProcessors)
  return { lines, close: () => shutdown.run() }
}

/** Vitest's `test` with an API and a query worker for each file. */
export const test = apiTest.extend<{ api: RunningEngine }>({
  api: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads the needed fixtures from this pattern
    async ({}, use) => {
      const engine = await startEngine()
      await use(engine)
      await engine.close()
    },
    { scope: 'file' },
  ],
})
