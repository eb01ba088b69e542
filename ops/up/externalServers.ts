import { Redis } from 'ioredis'
import pg from 'pg'
import { redact } from '../../src/platform/logger.ts'
import { reasonOf, StartError } from './startError.ts'

const oldestRedis = [6, 2] as const
const oldestPostgres = 130_000

/** Throws unless the Redis of REDIS_URL answers, is new enough and never drops keys by itself. */
export async function checkExternalRedis(url: string): Promise<void> {
  const info = await readRedisInfo(url)
  const version = /^redis_version:(\d+)\.(\d+)(\S*)/m.exec(info)
  const [major, minor] = [Number(version?.[1] ?? 0), Number(version?.[2] ?? 0)]
  if (major < oldestRedis[0] || (major === oldestRedis[0] && minor < oldestRedis[1])) {
    throw new StartError(
      `The Redis at ${redact(url)} is version ${major}.${minor}, and ${oldestRedis.join('.')} or newer is needed.\n` +
        'Upgrade it, point REDIS_URL to a newer one, or unset REDIS_URL to have a private one.',
    )
  }
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'unknown'
  if (policy !== 'noeviction') {
    throw new StartError(
      `The Redis at ${redact(url)} may drop keys, and jobs with them, when its memory is full (maxmemory-policy is ${policy}).\n` +
        `Set it to noeviction (\`redis-cli config set maxmemory-policy noeviction\`, and in its configuration file), or ` +
        'unset REDIS_URL to have a private one.',
    )
  }
}

async function readRedisInfo(url: string): Promise<string> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: null, connectTimeout: 5_000, commandTimeout: 5_000 })
  let reason = ''
  redis.on('error', (error) => (reason ||= reasonOf(error)))
  try {
    await redis.connect()
    return `${await redis.info('server')}\n${await redis.info('memory')}`
  } catch (error) {
    throw new StartError(
      `The Redis at ${redact(url)} cannot be used: ${reason || reasonOf(error)}.\n` +
        'Check that it runs and that address and password in REDIS_URL are right, or unset REDIS_URL to have a private one.',
    )
  } finally {
    redis.disconnect()
  }
}

/** Throws unless the database of DATABASE_URL can be reached and is new enough. */
export async function checkExternalDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, application_name: 'quern start' })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const found = await client.query<{ server_version_num: string }>('SHOW server_version_num')
    const version = Number(found.rows[0]?.server_version_num)
    if (version < oldestPostgres) throw new Error(`it is PostgreSQL ${Math.floor(version / 10_000)}, and 13 or newer is needed`)
  } catch (error) {
    throw new StartError(
      `The database at ${redact(url)} cannot be used: ${redact(reasonOf(error))}.\n` +
        'Check that it runs, that the database exists, and that user and password in DATABASE_URL are right; or unset ' +
        'DATABASE_URL to have a private one.',
    )
  } finally {
    await client.end().catch(() => undefined)
  }
}
