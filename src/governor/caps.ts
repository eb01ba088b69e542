import type { Limits } from './cover.ts'
import { windowMs, windowNames, type Window } from './windows.ts'

/** One window that limits a domain. */
export interface Cap {
  readonly window: Window
  /** Dispatches that it allows. */
  readonly count: number
  readonly ms: number
}

const known = new WeakMap<Limits, readonly Cap[]>()

/** The windows that limit a domain, longest first. */
export function capsOf(limits: Limits): readonly Cap[] {
  const found = known.get(limits)
  if (found) return found
  const caps = windowNames.flatMap((window) => {
    const count = limits[window]
    return count === undefined ? [] : [{ window, count, ms: windowMs[window] }]
  })
  known.set(limits, caps)
  return caps
}
