import type { Env } from '../../src/platform/env.ts'
import { openLogger } from '../../src/platform/logger.ts'
import { openProducerRedis } from '../../src/platform/redis.ts'
import { Shutdown } from '../../src/platform/shutdown.ts'
import { openHouse } from '../../src/services/openHouse.ts'
import { ensureFirstKey } from '../../src/services/secrets/firstKey.ts'

/** The first admin key of a new installation; null when there is one already, or when BOOTSTRAP_API_KEY gave it. */
export async function makeFirstKey(env: Env): Promise<string | null> {
  const log = openLogger(env.logLevel, 'start')
  const shutdown = new Shutdown(log)
  try {
    const { key } = await ensureFirstKey(openHouse(env, log, shutdown, openProducerRedis))
    return key
  } finally {
    await shutdown.run()
  }
}
