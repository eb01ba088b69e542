import type pg from 'pg'
import type { Clock } from '../platform/clock.ts'
import type { Env } from '../platform/env.ts'
import type { Logger } from '../platform/logger.ts'
import type { Database } from '../platform/prisma/database.ts'
import type { Redis } from '../platform/redis.ts'
import type { SecretBox } from '../platform/secretBox.ts'
import type { Vault } from './vault.ts'

/** Everything that a process has opened and that the services work with. */
export interface House {
  readonly env: Env
  readonly log: Logger
  readonly db: Database
  readonly pool: pg.Pool
  readonly redis: Redis
  readonly box: SecretBox
  readonly vault: Vault
  readonly clock: Clock
}
