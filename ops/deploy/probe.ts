import { hostname } from 'node:os'
import { Redis } from 'ioredis'
import { readEnv } from '../../src/platform/env.ts'
import { redact } from '../../src/platform/logger.ts'
import { liveProcesses } from '../../src/services/workers/processes.ts'
import { reasonOf } from '../up/startError.ts'

const boundMs = 4_000

/**
 * The health of the process in this container, by its heartbeat: ends with 0 while it beats, else with 1. Without Redis nobody hears
 * a beat, and a restart would mend nothing, so that counts as healthy.
 */
async function main(): Promise<number> {
  const env = readEnv()
  if (env.redisUrl === undefined) throw new Error('REDIS_URL is not set, so no heartbeat can be looked for')
  const redis = new Redis(env.redisUrl, { lazyConnect: true, retryStrategy: null, connectTimeout: boundMs, commandTimeout: boundMs })
  redis.on('error', () => undefined)
  try {
    await redis.connect()
    const mine = (await liveProcesses({ redis, env })).filter(({ host }) => host === hostname())
    process.stdout.write(mine.length > 0 ? `${mine.map(({ id }) => id).join(', ')} beats.\n` : 'No process of this machine beats.\n')
    return mine.length > 0 ? 0 : 1
  } catch (error) {
    process.stdout.write(`Redis does not answer (${redact(reasonOf(error))}), so nothing is known.\n`)
    return 0
  } finally {
    redis.disconnect()
  }
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`${redact(reasonOf(error))}\n`)
  process.exitCode = 1
}
