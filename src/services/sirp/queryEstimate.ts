import type { Estimate } from '../../contract/sirp/queryPlan.ts'
import { isKnown } from '../../query/bounds.ts'
import { domainsOf } from '../../query/domains.ts'
import { estimateOf, type Sending } from '../../query/estimate.ts'
import type { ParsedQuery } from '../../query/plan.ts'
import type { House } from '../house.ts'
import { policiesOf } from './policyEstimate.ts'

/** The estimate as it is answered; without a house the policies are left out. */
export async function showEstimate(house: House | null, query: ParsedQuery): Promise<Estimate> {
  const { rows, requests, jobs, sendings } = estimateOf(query)
  const estimate = { stages: query.stages.length, rows: [...rows], requests, jobs, domains: domainsOf(query) }
  if (!house) return estimate
  const policies = await policiesOf(house, sendings)
  return { ...estimate, policies, ms: leastMs(sendings, policies.map(({ ms }) => ms)) }
}

/** Domains do not wait for each other, so the slowest of them is what all of it takes at least. */
function leastMs(sendings: readonly Sending[], domainsMs: readonly (number | null)[]): number | null {
  if (sendings.some(({ host, requests }) => host === null || !isKnown(requests))) return null
  return domainsMs.reduce((most, ms) => (most === null || ms === null ? null : Math.max(most, ms)), 0)
}
