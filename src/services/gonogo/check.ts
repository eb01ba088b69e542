import { judge } from '../../governor/windows.ts'
import { invalid, type Fault } from '../../platform/errors.ts'
import type { HandlersOf } from '../handler.ts'
import type { House } from '../house.ts'
import { hostOf, limitsFor } from './cover.ts'

const maxFaults = 64

/** The check of a policy against times that the caller has kept; it takes nothing. */
export function checkHandlers(house: House): HandlersOf<'gonogo.policy.check'> {
  return {
    'gonogo.policy.check': async ({ params, body }) => {
      const timesMs = timesOf(body?.domainDispatches ?? [])
      const policy = await limitsFor(house, hostOf(params.domain))
      return { ...judge(policy, timesMs, house.clock()), policy }
    },
  }
}

function timesOf(dispatches: readonly (readonly unknown[])[]): number[] {
  const faults: Fault[] = []
  const timesMs: number[] = []
  for (const [index, [time]] of dispatches.entries()) {
    if (typeof time === 'number' && Number.isFinite(time)) timesMs.push(time)
    else faults.push({ path: `/domainDispatches/${index}/0`, message: 'must be the time of a dispatch in epoch milliseconds' })
    if (faults.length === maxFaults) break
  }
  if (faults.length > 0) throw invalid(faults)
  return timesMs
}
