import { capsOf } from '../../governor/caps.ts'
import type { Limits } from '../../governor/cover.ts'
import { simulate } from '../../governor/simulate.ts'

/** Dispatches that are simulated one by one; beyond them the time is put together of runs of this length. */
const simulated = 1_000

/** The least time from the first of so many dispatches to the last, in bounded work; null where the policy allows none of them. */
export function leastTime(limits: Limits, dispatches: number): number | null {
  if (dispatches <= 1 + simulated) return dispatches === 0 ? 0 : simulate(limits, dispatches)
  const run = simulate(limits, 1 + simulated)
  if (run === null) return null
  const gaps = dispatches - 1
  const rest = simulate(limits, 1 + (gaps % simulated)) ?? 0
  // No run is faster than one that begins with empty windows, and no window is faster than it would be alone.
  const alone = capsOf(limits).map(({ count, ms }) => Math.floor(gaps / count) * ms)
  return Math.max(Math.floor(gaps / simulated) * run + rest, ...alone)
}
