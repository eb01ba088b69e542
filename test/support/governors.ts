import { inject, onTestFinished } from 'vitest'
import { defaultLimits, type Limits } from '../../src/governor/cover.ts'
import { openGovernor, type Governor } from '../../src/governor/governor.ts'
import { policiesChannel } from '../../src/governor/keys.ts'
import type { Permit, Refusal } from '../../src/governor/permit.ts'
import type { DomainPolicy } from '../../src/governor/policyBook.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { randomText } from '../../src/platform/ids.ts'
import { openLogger } from '../../src/platform/logger.ts'
import { openWorkerRedis, type Redis } from '../../src/platform/redis.ts'

const log = openLogger('silent', 'test')

/** Governors that share a Redis, a prefix and a table of policies, as the processes of an installation do. */
export interface Installation {
  readonly prefix: string
  readonly redis: Redis
  /** Opens one more governor. */
  open(): Governor
  /** Changes a policy, and tells all of it unless that is to be lost. */
  setPolicy(domain: string, limits: Limits | null, options?: { readonly silent?: boolean }): Promise<void>
}

/** Makes an installation that ends with the test. */
export function install(policies: Readonly<Record<string, Limits>> = {}, { url = inject('redisUrl'), byDefault = 'off' } = {}): Installation {
  const prefix = `t${randomText(6)}`
  const redis = openWorkerRedis(url, log)
  const table = new Map(Object.entries(policies))
  let version = 0
  onTestFinished(() => redis.disconnect())
  return {
    prefix,
    redis,
    open() {
      const governor = openGovernor({
        redis,
        prefix,
        loadPolicies: async () => [...table].map(([domain, limits]): DomainPolicy => ({ domain, limits })),
        policiesVersion: async () => String(version),
        defaultPolicy: defaultLimits(byDefault),
        clock: systemClock,
        log,
      })
      onTestFinished(() => governor.close())
      return governor
    },
    async setPolicy(domain, limits, { silent = false } = {}) {
      if (limits) table.set(domain, limits)
      else table.delete(domain)
      version += 1
      if (!silent) await redis.publish(policiesChannel(prefix), '')
    },
  }
}

/** The permit, or a failed test. */
export function permitted(answer: Permit | Refusal): Permit {
  if (!answer.go) throw new Error(`refused: ${JSON.stringify(answer)}`)
  return answer
}

/** The refusal, or a failed test. */
export function refused(answer: Permit | Refusal): Refusal {
  if (answer.go) throw new Error('there is a permit, although there should be none')
  return answer
}
