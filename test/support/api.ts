import type { AddressInfo } from 'node:net'
import { inject, test as base } from 'vitest'
import { buildApp } from '../../src/api/app.ts'
import { closeServer, listen, openServer } from '../../src/api/server.ts'
import { createClient, send, type Call } from '../../src/client/index.ts'
import type { OperationId } from '../../src/contract/index.ts'
import { readEnv } from '../../src/platform/env.ts'
import { randomText } from '../../src/platform/ids.ts'
import { openLogger } from '../../src/platform/logger.ts'
import { isReadySoon, openProducerRedis } from '../../src/platform/redis.ts'
import { Shutdown } from '../../src/platform/shutdown.ts'
import type { House } from '../../src/services/house.ts'
import { closeQueues } from '../../src/services/queuesOf.ts'
import { openHouse } from '../../src/services/openHouse.ts'
import { ensureFirstKey } from '../../src/services/secrets/firstKey.ts'
import { closeWakes } from '../../src/services/sirp/engine/wakes.ts'
import { apiPulse, registerApiParts } from '../../src/services/workers/apiParts.ts'
import { startPulse } from '../../src/services/workers/pulse.ts'
import { cloneDatabase } from './database.ts'

/** A running API, in this process. */
export interface RunningApi {
  readonly url: string
  readonly adminKey: string
  readonly house: House
  /** What it was started with; `startApi` with the same settings makes a second API on the same database. */
  readonly settings: Readonly<Record<string, string>>
  /** Every line that it has logged. */
  readonly logLines: readonly string[]
  close(): Promise<void>
}

/** Starts an API on a free port; settings are given as environment variables, and without DATABASE_URL it gets a database of its own. */
export async function startApi(given: Readonly<Record<string, string>> = {}): Promise<RunningApi> {
  const database = given['DATABASE_URL'] === undefined ? await cloneDatabase() : undefined
  const settings = {
    ...(database ? { DATABASE_URL: database.url } : {}),
    REDIS_URL: inject('redisUrl'),
    REDIS_PREFIX: `t${randomText(6)}`,
    MASTER_KEY: randomText(32),
    DATABASE_POOL: '5',
    LOG_LEVEL: 'debug',
    ...given,
  }
  const env = readEnv(settings)
  const logLines: string[] = []
  const log = openLogger(env.logLevel, 'api', { write: (line) => void logLines.push(line) })
  const shutdown = new Shutdown(log)
  const house = openHouse(env, log, shutdown, openProducerRedis)
  // A key that is set works from the first request on, without a step before it.
  const adminKey = env.bootstrapApiKey ?? (await ensureFirstKey(house)).key ?? ''
  registerApiParts(house)
  startPulse(house, apiPulse(house), shutdown)
  const server = openServer(buildApp(house, { ending: false }, { checkAnswers: true }), env)
  shutdown.onShutdown('queues', () => closeQueues(house))
  await isReadySoon(house.redis) // as in a process that has been up for a while
  await listen(server, '127.0.0.1', 0)
  shutdown.onShutdown('http server', () => {
    closeWakes(house)
    return closeServer(server, 1_000)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    adminKey,
    house,
    settings: { ...settings, BOOTSTRAP_API_KEY: adminKey },
    logLines,
    async close() {
      await shutdown.run()
      await database?.drop()
    },
  }
}

interface ApiFixtures {
  /** The API of this file. */
  api: RunningApi
  /** Calls an operation with the admin key; throws `CallFailed` on a problem. */
  call: Call
  /** Sends an operation with the admin key and answers the raw response. */
  sendAs: (key: string, id: OperationId, input?: Parameters<typeof send>[2]) => Promise<Response>
}

/** Vitest's `test` with a running API for each file. */
export const test = base.extend<ApiFixtures>({
  api: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads the needed fixtures from this pattern
    async ({}, use) => {
      const api = await startApi()
      await use(api)
      await api.close()
    },
    { scope: 'file' },
  ],
  call: async ({ api }, use) => use(createClient({ baseUrl: api.url, apiKey: api.adminKey })),
  sendAs: async ({ api }, use) => use((apiKey, id, input = {}) => send({ baseUrl: api.url, apiKey }, id, input)),
})

/** An id that nothing has. */
export const unknownId = '00000000-0000-4000-8000-000000000000'
