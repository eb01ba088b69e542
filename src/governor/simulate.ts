import { capsOf } from './caps.ts'
import type { Limits } from './cover.ts'

/** How long so many dispatches take from the first to the last when each goes as soon as the policy lets it; null where none ever may. */
export function simulate(limits: Limits, dispatches: number): number | null {
  const caps = capsOf(limits)
  if (caps.some(({ count }) => count === 0)) return null
  const times = new Float64Array(dispatches)
  for (let index = 1; index < dispatches; index += 1) {
    let time = times[index - 1] ?? 0
    for (const { count, ms } of caps) if (index >= count) time = Math.max(time, (times[index - count] ?? 0) + ms)
    times[index] = time
  }
  return times[dispatches - 1] ?? 0
}
