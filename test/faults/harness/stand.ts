import { onTestFinished } from 'vitest'
import { pickLoopbackPort } from '../../../ops/up/freePort.ts'
import type { PrivateServer } from '../../../ops/up/privateServer.ts'
import { startPrivateRedis } from '../../../ops/up/privateRedis.ts'
import { createClient, type Call } from '../../../src/client/index.ts'
import { processSettings } from '../../support/builtProcess.ts'
import { cloneDatabase } from '../../support/database.ts'
import { openTcpProxy, type TcpProxy } from '../../support/tcpProxy.ts'
import { makeTestDir } from '../../support/testDir.ts'
import { Ledger } from './ledger.ts'
import { Place } from './place.ts'
import { openSite, type Site } from './site.ts'
import { taskTemplate } from './tasks.ts'

/** The admin key of every stand. */
export const adminKey = 'a-key-of-thirty-two-characters-or-more'

/** How many processes a stand has, and what is special about them. */
export interface StandOptions {
  readonly apis?: number
  readonly workers?: number
  readonly browsers?: number
  /** Starts an almanac too; workers look after queries without one. */
  readonly almanac?: boolean
  /** Puts a proxy between the processes and their Redis. */
  readonly proxied?: boolean
  /** An own PostgreSQL instead of a database of the run's. */
  readonly databaseUrl?: string
  readonly settings?: Readonly<Record<string, string>>
}

/** A whole installation on loopback whose parts can be made to fail. */
export interface Stand {
  readonly dir: string
  /** Those of every process. */
  readonly settings: Readonly<Record<string, string>>
  readonly databaseUrl: string
  readonly apis: readonly (Place & { readonly url: string })[]
  readonly workers: readonly Place[]
  readonly places: readonly Place[]
  readonly proxy: TcpProxy | undefined
  readonly site: Site
  readonly ledger: Ledger
  /** Calls the first API. */
  readonly call: Call
  redis: PrivateServer
  /** Starts Redis again where it was, with what it had on disk. */
  restartRedis(): Promise<void>
}

/** What the processes of a stand have complained of. */
export const complaintsOf = ({ places }: Stand): string => places.flatMap(({ complaints }) => complaints).join('\n')

class ApiPlace extends Place {
  readonly url: string

  constructor(port: number, settings: Readonly<Record<string, string>>) {
    super('src/api/main.js', { ...settings, PORT: String(port) }, 'listening')
    this.url = `http://127.0.0.1:${port}`
  }
}

/** Starts a stand, with the template of the tasks in it; it is gone when the test ends. */
export async function openStand(options: StandOptions = {}): Promise<Stand> {
  const { apis = 2, workers = 3, browsers = 0, almanac = false, proxied = false, databaseUrl, settings: given = {} } = options
  const dir = await makeTestDir()
  const database = databaseUrl === undefined ? await cloneDatabase() : undefined
  if (database) onTestFinished(database.drop)
  const url = databaseUrl ?? database?.url ?? ''
  const redis = await startPrivateRedis({ dir })
  const proxy = proxied ? await openTcpProxy(redis.url) : undefined
  const settings = { ...settingsOf(url, proxy?.url ?? redis.url, dir), ...given }
  const apiPlaces: ApiPlace[] = []
  for (let index = 0; index < apis; index += 1) apiPlaces.push(new ApiPlace(await pickLoopbackPort(null), settings))
  const workerPlaces = Array.from({ length: workers }, () => new Place('workers/query.js', settings, 'serving'))
  const browserPlaces = Array.from({ length: browsers }, () => new Place('workers/browser.js', settings, 'serving'))
  const places = [...apiPlaces, ...workerPlaces, ...browserPlaces, ...(almanac ? [new Place('workers/almanac.js', settings, 'serving')] : [])]
  const [first] = apiPlaces
  const stand: Stand = {
    dir,
    settings,
    databaseUrl: url,
    apis: apiPlaces,
    workers: workerPlaces,
    places,
    proxy,
    redis,
    site: await openSite(),
    ledger: new Ledger(dir),
    call: createClient({ baseUrl: first?.url ?? '', apiKey: adminKey }),
    async restartRedis() {
      stand.redis = await startPrivateRedis({ dir, port: stand.redis.port })
    },
  }
  onTestFinished(async () => {
    await proxy?.close()
    await stand.redis.stop()
  })
  await Promise.all(places.map((place) => place.start()))
  await stand.call('sirp.template.create', { body: taskTemplate })
  return stand
}

function settingsOf(databaseUrl: string, redisUrl: string, dir: string): Record<string, string> {
  return {
    ...processSettings(databaseUrl),
    REDIS_URL: redisUrl,
    BOOTSTRAP_API_KEY: adminKey,
    DATABASE_POOL: '5',
    DATA_DIR: dir,
    EGRESS_ALLOW: '127.0.0.0/8',
    POLICY_DEFAULT: 'off',
  }
}
