import { join } from 'node:path'
import type { Env } from '../../src/platform/env.ts'
import { readOrMakeSecret } from './dataDir.ts'
import { checkExternalDatabase, checkExternalRedis } from './externalServers.ts'
import { startPrivatePostgres } from './privatePostgres.ts'
import { startPrivateRedis } from './privateRedis.ts'
import type { PrivateServer, PrivateServerOptions } from './privateServer.ts'
import type { Runner } from './runner.ts'
import { StartError } from './startError.ts'
import type { Running } from './supervise.ts'

/** The settings that the processes need and that a start may have to provide by itself. */
export interface Provided {
  readonly DATABASE_URL: string
  readonly REDIS_URL: string
  readonly MASTER_KEY: string
}

/** Checks the external servers, starts private ones in their place where none are named, and finds the master key. */
export async function provideServers(env: Env, runner: Runner): Promise<Provided> {
  const masterKey = env.masterKey ?? (await provideMasterKey(env))
  const database = provideDatabase(env, runner)
  const redis = provideRedis(env, runner)
  // Where one fails the other must have come to rest, so that it can be ended.
  await Promise.allSettled([database, redis])
  return { DATABASE_URL: await database, REDIS_URL: await redis, MASTER_KEY: masterKey }
}

async function provideDatabase({ databaseUrl, dataDir }: Env, runner: Runner): Promise<string> {
  if (databaseUrl === undefined) return keep(runner, 'postgres', startPrivatePostgres, dataDir)
  await checkExternalDatabase(databaseUrl)
  return databaseUrl
}

async function provideRedis({ redisUrl, dataDir }: Env, runner: Runner): Promise<string> {
  if (redisUrl === undefined) return keep(runner, 'redis', startPrivateRedis, dataDir)
  await checkExternalRedis(redisUrl)
  return redisUrl
}

async function provideMasterKey(env: Env): Promise<string> {
  if (env.databaseUrl !== undefined) {
    throw new StartError(
      'MASTER_KEY must be set where DATABASE_URL is: every machine that uses the database needs the same key.\n' +
        'Make one with `openssl rand -base64 32`, keep it safe, and set it for all of them.',
    )
  }
  return readOrMakeSecret(join(env.dataDir, 'master.key'), 32)
}

type StartServer = (options: PrivateServerOptions) => Promise<PrivateServer>

async function keep(runner: Runner, name: string, start: StartServer, dir: string): Promise<string> {
  const first = await start({ dir, signal: runner.ending })
  // The processes know the first address, so a restarted server must have the same port.
  runner.addServer(name, asRunning(first), async (signal) => asRunning(await start({ dir, port: first.port, signal })))
  return first.url
}

const asRunning = (server: PrivateServer): Running => ({
  pid: server.pid,
  exited: server.exited.then(() => ({ code: null, words: 'ended' })),
  stop: () => server.stop(),
  kill: () => server.kill(),
})
