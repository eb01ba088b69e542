import { defaultLimits, limitsOf } from '../../governor/cover.ts'
import { openGovernor, type Governor } from '../../governor/governor.ts'
import type { DomainPolicy } from '../../governor/policyBook.ts'
import type { House } from '../house.ts'
import { metersOf } from '../workers/meters.ts'

const opened = new WeakMap<House, Governor>()
const endings = new WeakSet<House>()

/** The governor of this process; opened when it is first needed, and closed with the Redis of the house if not before. */
export function governorOf(house: House): Governor {
  const known = opened.get(house)
  if (known) return known
  const { redis, env, clock, log } = house
  const governor = openGovernor({
    redis,
    prefix: env.redisPrefix,
    defaultPolicy: defaultLimits(env.policyDefault),
    clock,
    log,
    loadPolicies: () => loadPolicies(house),
    policiesVersion: () => policiesVersion(house),
    onRefusal: ({ waitMs }) => metersOf(house).governorWaits.observe((waitMs ?? 0) / 1000),
  })
  opened.set(house, governor)
  if (!endings.has(house)) redis.once('end', () => closeGovernor(house))
  endings.add(house)
  return governor
}

/** Closes the governor of a process, where it has one. */
export function closeGovernor(house: House): void {
  opened.get(house)?.close()
  opened.delete(house)
}

async function loadPolicies({ db }: House): Promise<DomainPolicy[]> {
  const rows = await db.policy.findMany({ select: { domain: true, perSecond: true, perTenSeconds: true, perMinute: true } })
  return rows.map(({ domain, ...rates }) => ({ domain, limits: limitsOf(rates) }))
}

/** Every change makes a version larger, adds a row or takes one away; the newest time tells a new row from one that went at the same time. */
async function policiesVersion({ pool }: House): Promise<string> {
  const text = 'SELECT concat_ws(\' \', count(*), sum(version), extract(epoch FROM max(updated_at))) AS version FROM policies'
  const { rows } = await pool.query<{ version: string }>({ name: 'policies-version', text })
  return rows[0]?.version ?? ''
}
