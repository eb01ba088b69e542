import type { Static } from 'typebox'
import type { Policy, PolicyDraft } from '../../contract/gonogo/policies.ts'
import { announcePolicies } from '../../governor/announce.ts'
import { limitsOf } from '../../governor/cover.ts'
import { forgetHolders } from '../../governor/forget.ts'
import { invalidField } from '../../platform/errors.ts'
import { normalizeHost } from '../../platform/hosts.ts'
import { Prisma, type Policy as PolicyRow } from '../../platform/prisma/generated/client.ts'
import { oneRow } from '../../platform/prisma/oneRow.ts'
import type { HandlersOf } from '../handler.ts'
import type { House } from '../house.ts'
import { Records } from '../records.ts'
import { wakeWaiting } from '../sirp/engine/wakeWaiting.ts'
import { limitsOfDraft } from './draft.ts'

type Ids = 'gonogo.policy.list' | 'gonogo.policy.create' | 'gonogo.policy.read' | 'gonogo.policy.update' | 'gonogo.policy.delete'

/** Domain policies: how often each domain may be asked. */
export function policyHandlers(house: House): HandlersOf<Ids> {
  const policies = new Records<PolicyRow, Columns, Static<typeof Policy>>(house, { noun: 'domain policy', key: 'id', table: (connection) => connection.policy, stored: oneRow('policies', Prisma.PolicyScalarFieldEnum), present })
  const announced = async <Result>(change: Promise<Result>, ...domains: readonly (string | undefined)[]): Promise<Result> => {
    const result = await change
    announcePolicies(house.redis, house.env.redisPrefix)
    for (const domain of new Set(domains)) if (domain !== undefined) wakeSoon(house, domain)
    return result
  }
  const domainOf = async (id: string): Promise<string | undefined> => (await house.db.policy.findUnique({ where: { id }, select: { domain: true } }))?.domain
  const taken = (domain: string): string => `There is a policy for ${domain} already; update that one.`

  return {
    'gonogo.policy.list': ({ query }) => policies.list(query),
    'gonogo.policy.read': ({ params }) => policies.read(params.id),
    'gonogo.policy.create': async (request) => {
      const data = columns(request.body)
      return announced(policies.create(request, data, taken(data.domain)), data.domain)
    },
    'gonogo.policy.update': async (request) => {
      const data = columns(request.body)
      const before = await domainOf(request.params.id)
      return announced(policies.update(request, request.params.id, data, { taken: taken(data.domain) }), before, data.domain)
    },
    'gonogo.policy.delete': async (request) => {
      const before = await domainOf(request.params.id)
      await announced(policies.delete(request, request.params.id), before)
      // Who goes free now does not come back to give up its place.
      if (before !== undefined) forgetHolders(house.redis, house.env.redisPrefix, before, '')
    },
  }
}

/** After the first every process goes by the policies as they are now; the others are for who had asked before that and only then lay down to wait. */
const wakeAfterMs = [750, 1_500, 3_000]

/** Who waits under the policy as it was asks again once the change is in force; one that is not told does so by itself, later. */
function wakeSoon(house: House, domain: string): void {
  const wake = (): void => void wakeWaiting(house, domain).catch((err: unknown) => house.log.debug({ err, domain }, 'who waits for the domain was not told of its policy'))
  for (const ms of wakeAfterMs) setTimeout(wake, ms).unref()
}

type Columns = ReturnType<typeof columns>

/** The draft as it is stored: one spelling of the domain, numbers as numbers. */
function columns({ name, domain, policy }: Static<typeof PolicyDraft>) {
  const host = normalizeHost(domain)
  if (host === null) throw invalidField('/domain', 'must be a bare host name such as shop.example: no scheme, port, path or wildcard (sub-domains are covered)')
  const { perSecond = null, perTenSeconds = null, perMinute = null } = limitsOfDraft(policy)
  return { name, domain: host, perSecond, perTenSeconds, perMinute }
}

function present(row: PolicyRow): Static<typeof Policy> {
  return {
    id: row.id,
    name: row.name,
    domain: row.domain,
    policy: limitsOf(row),
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
