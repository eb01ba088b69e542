import { openGovernor } from '../../src/governor/governor.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { newId } from '../../src/platform/ids.ts'
import { openLogger } from '../../src/platform/logger.ts'
import { openWorkerRedis } from '../../src/platform/redis.ts'
import { sendWhenAllowed } from './politeSender.ts'

/** One process of `npm run bench -- policy`: it sends all that the governor lets it, until its parent ends it. */
const [, , redisUrl = '', host = '', url = '', limits = '{}'] = process.argv
const atOnce = 20

const log = openLogger('error', 'bench')
const governor = openGovernor({
  redis: openWorkerRedis(redisUrl, log),
  prefix: 'bench',
  loadPolicies: async () => [{ domain: host, limits: JSON.parse(limits) as object }],
  policiesVersion: async () => 'the only one',
  defaultPolicy: {},
  clock: systemClock,
  log,
})

async function sendOn(): Promise<never> {
  for (;;) await sendWhenAllowed(governor, host, newId(), url)
}

await Promise.all(Array.from({ length: atOnce }, sendOn))
