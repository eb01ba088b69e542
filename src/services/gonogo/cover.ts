import { defaultLimits, limitsOf, namesCovering, type Limits } from '../../governor/cover.ts'
import { invalid } from '../../platform/errors.ts'
import { normalizeHost } from '../../platform/hosts.ts'
import type { House } from '../house.ts'

/** The limits in force for a host in its one spelling: those of its own policy, else of its nearest parent's, else the default. */
export async function limitsFor({ db, env }: Pick<House, 'db' | 'env'>, host: string): Promise<Limits> {
  const covering = await db.policy.findMany({
    where: { domain: { in: namesCovering(host) } },
    select: { domain: true, perSecond: true, perTenSeconds: true, perMinute: true },
  })
  const [nearest] = covering.toSorted((a, b) => b.domain.length - a.domain.length)
  return nearest ? limitsOf(nearest) : defaultLimits(env.policyDefault)
}

/** The one spelling of a host in a path, or a 400. */
export function hostOf(domain: string): string {
  const host = normalizeHost(domain)
  if (host !== null) return host
  throw invalid([{ in: 'path', path: '/domain', message: 'must be a bare host name such as shop.example: no scheme, port or path' }])
}
