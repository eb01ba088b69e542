import { systemClock } from '../platform/clock.ts'
import { SettingsError, type Env } from '../platform/env.ts'
import type { Logger } from '../platform/logger.ts'
import { openDatabase } from '../platform/prisma/database.ts'
import type { Redis } from '../platform/redis.ts'
import { SecretBox } from '../platform/secretBox.ts'
import type { Shutdown } from '../platform/shutdown.ts'
import type { House } from './house.ts'
import { Vault } from './vault.ts'

/** Opens what every process needs; nothing is dialled yet, so it succeeds also while the database or Redis is away. */
export function openHouse(env: Env, log: Logger, shutdown: Shutdown, openRedis: (url: string, log: Logger) => Redis): House {
  const { databaseUrl, redisUrl, masterKey } = env
  if (databaseUrl === undefined || redisUrl === undefined || masterKey === undefined) {
    throw new SettingsError('DATABASE_URL, REDIS_URL and MASTER_KEY must be set for a single process; `npm start` sets them by itself.')
  }
  const { db, pool, close } = openDatabase(databaseUrl, env.databasePool, log)
  shutdown.onShutdown('database', close)
  const redis = openRedis(redisUrl, log)
  shutdown.onShutdown('redis', () => redis.disconnect())
  const box = new SecretBox(masterKey, env.masterKeyPrevious)
  return { env, log, db, pool, redis, box, vault: new Vault(db, box), clock: systemClock }
}
