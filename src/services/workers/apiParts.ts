import { closeGovernor } from '../gonogo/governorOf.ts'
import type { House } from '../house.ts'
import { closeQueues } from '../queuesOf.ts'
import { renewWakes } from '../sirp/engine/wakes.ts'
import { onRestart } from './components.ts'
import { metersOf } from './meters.ts'
import type { PulseSource } from './pulse.ts'

/** Names what an API process builds anew at a restart; each part is opened again by whoever needs it next. */
export function registerApiParts(house: House): void {
  onRestart(house, ['gonogo'], () => closeGovernor(house))
  onRestart(house, ['sirp'], () => renewWakes(house))
  onRestart(house, ['sirp', 'jobs', 'mentos', 'screenshot'], () => closeQueues(house))
}

/** What an API process says of its work. */
export function apiPulse(house: House): PulseSource {
  const meters = metersOf(house)
  return { type: 'api', concurrency: house.env.maxRequests, running: () => meters.underWay }
}
