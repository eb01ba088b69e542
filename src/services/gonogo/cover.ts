import { isIP } from 'node:net'
import type { Static } from 'typebox'
import type { Rates } from '../../contract/gonogo/policies.ts'
import type { House } from '../house.ts'

/** Dispatches allowed in each window; a window left out is not limited. */
export type Limits = Static<typeof Rates>

/** The limits in force for a host in its one spelling: those of its own policy, else of its nearest parent's, else the default. */
export async function limitsFor({ db, env }: Pick<House, 'db' | 'env'>, host: string): Promise<Limits> {
  const covering = await db.policy.findMany({
    where: { domain: { in: namesCovering(host) } },
    select: { domain: true, perSecond: true, perTenSeconds: true, perMinute: true },
  })
  const [nearest] = covering.toSorted((a, b) => b.domain.length - a.domain.length)
  if (!nearest) return defaultLimits(env.policyDefault)
  const { perSecond, perTenSeconds, perMinute } = nearest
  return limitsOf(perSecond, perTenSeconds, perMinute)
}

/** The host and every parent domain, longest first; an address has no parents. */
export function namesCovering(host: string): string[] {
  if (isIP(host) !== 0 || host.startsWith('[')) return [host]
  const labels = host.split('.')
  return labels.map((_, index) => labels.slice(index).join('.'))
}

/** The limits that a setting such as `1/10/60` stands for; `off` stands for none. */
export function defaultLimits(setting: string): Limits {
  if (setting === 'off') return {}
  const [perSecond, perTenSeconds, perMinute] = setting.split('/').map(Number)
  return limitsOf(perSecond, perTenSeconds, perMinute)
}

function limitsOf(perSecond: number | null | undefined, perTenSeconds: number | null | undefined, perMinute: number | null | undefined): Limits {
  return {
    ...(perSecond == null ? {} : { perSecond }),
    ...(perTenSeconds == null ? {} : { perTenSeconds }),
    ...(perMinute == null ? {} : { perMinute }),
  }
}
