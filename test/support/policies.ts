import { send } from '../../src/client/index.ts'
import type { RunningApi } from './api.ts'

/** A domain policy as it is answered. */
export interface PolicyRecord {
  readonly id: string
  readonly name: string
  readonly domain: string
  readonly policy: Readonly<Record<string, number>>
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** A draft for a domain. */
export const policyFor = (domain: string, policy: object = { perSecond: 2, perTenSeconds: 15, perMinute: 60 }) => ({ name: 'polite', domain, policy })

/** Creates a policy that a test starts from. */
export async function createPolicy(api: RunningApi, domain: string, policy?: object): Promise<PolicyRecord> {
  const response = await send({ baseUrl: api.url, apiKey: api.adminKey }, 'gonogo.policy.create', { body: policyFor(domain, policy) })
  if (response.status !== 201) throw new Error(`the policy was not created: ${await response.text()}`)
  return (await response.json()) as PolicyRecord
}

/** Ids that are not UUIDs. */
export const badIds = ['1', 'not-a-uuid', '3f0e5b5e6a344c1e9d4a0b8a4a3a9a52', '{3f0e5b5e-6a34-4c1e-9d4a-0b8a4a3a9a52}', '3f0e5b5e-6a34-4c1e-9d4a-0b8a4a3a9a5g', '%', ' ']
