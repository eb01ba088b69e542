import type { Estimate } from '../../contract/sirp/queryPlan.ts'
import { defaultLimits, limitsOf, namesCovering, type Limits } from '../../governor/cover.ts'
import { exactly, sum, type Bounds } from '../../query/bounds.ts'
import type { Sending } from '../../query/estimate.ts'
import type { House } from '../house.ts'
import { leastTime } from './leastTime.ts'

type EstimatedPolicy = NonNullable<Estimate['policies']>[number]

/** The policies in force for the hosts that a query names, with what it sends under each of them, in the order of the text. */
export async function policiesOf(house: House, sendings: readonly Sending[]): Promise<EstimatedPolicy[]> {
  const byHost = new Map<string, Bounds>()
  for (const { host, requests } of sendings) if (host !== null) byHost.set(host, sum(byHost.get(host) ?? exactly(0), requests))
  const stored = await storedPolicies(house, [...byHost.keys()])
  const fallback = defaultLimits(house.env.policyDefault)
  const found = new Map<string, { readonly policy: Limits; readonly hosts: string[]; requests: Bounds }>()
  for (const [host, requests] of byHost) {
    const domain = namesCovering(host).find((name) => stored.has(name)) ?? host
    const under = found.get(domain) ?? { policy: stored.get(domain) ?? fallback, hosts: [], requests: exactly(0) }
    found.set(domain, under)
    under.hosts.push(host)
    under.requests = sum(under.requests, requests)
  }
  return Array.from(found, ([domain, under]) => ({ domain, ...under, ms: leastTime(under.policy, under.requests.least) }))
}

/** One list in one parameter: a query may name more hosts than a statement takes values. */
async function storedPolicies({ pool }: House, hosts: readonly string[]): Promise<Map<string, Limits>> {
  if (hosts.length === 0) return new Map()
  const { rows } = await pool.query<{ domain: string } & Record<keyof Limits, number | null>>({
    name: 'policies-covering',
    text: 'SELECT domain, per_second AS "perSecond", per_ten_seconds AS "perTenSeconds", per_minute AS "perMinute" FROM policies WHERE domain = ANY($1::text[])',
    values: [[...new Set(hosts.flatMap(namesCovering))]],
  })
  return new Map(rows.map(({ domain, ...rates }) => [domain, limitsOf(rates)]))
}
