import type { Limits } from '../../governor/cover.ts'
import { simulate } from '../../governor/simulate.ts'
import { invalidField } from '../../platform/errors.ts'
import { normalizeHost } from '../../platform/hosts.ts'
import type { HandlersOf } from '../handler.ts'
import type { House } from '../house.ts'
import { limitsFor } from './cover.ts'
import { limitsOfDraft } from './draft.ts'

/** The dry run of a policy; it takes nothing. */
export function simulationHandlers(house: House): HandlersOf<'gonogo.policy.simulate'> {
  return {
    'gonogo.policy.simulate': async ({ body: { dispatches, domain, policy: draft } }) => {
      if ((draft === undefined) === (domain === undefined)) throw invalidField('/policy', 'must be given, or a domain in its place')
      const policy = draft ? limitsOfDraft(draft) : await limitsInForce(house, domain ?? '')
      return { dispatches, policy, durationMs: simulate(policy, dispatches) }
    },
  }
}

async function limitsInForce(house: House, domain: string): Promise<Limits> {
  const host = normalizeHost(domain)
  if (host === null) throw invalidField('/domain', 'must be a bare host name such as shop.example: no scheme, port or path')
  return limitsFor(house, host)
}
