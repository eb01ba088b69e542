import type { Limits } from './cover.ts'

/** How long each window of a policy is. */
export const windowMs = { perSecond: 1_000, perTenSeconds: 10_000, perMinute: 60_000 } as const

/** A window of a policy. */
export type Window = keyof typeof windowMs

/** The windows of a policy, longest first: the longest is the one that is most likely full. */
export const windowNames = ['perMinute', 'perTenSeconds', 'perSecond'] as const satisfies readonly Window[]

/** Whether one more dispatch fits now, and when it does if not. */
export interface Verdict {
  readonly allowed: boolean
  /** Null where no time will do, because a window allows none. */
  readonly waitMs: number | null
  /** How many dispatches each window holds. */
  readonly counts: Readonly<Record<Window, number>>
}

/** Judges one more dispatch by the times of earlier ones: one exactly a window ago counts no more, one in the future counts. */
export function judge(limits: Limits, timesMs: readonly number[], nowMs: number): Verdict {
  const sorted = timesMs.toSorted((a, b) => a - b)
  const held = (window: Window): number[] => sorted.filter((timeMs) => timeMs > nowMs - windowMs[window])
  const waits = windowNames.map((window) => waitFor(limits[window], held(window), windowMs[window] - nowMs))
  return {
    allowed: waits.every((waitMs) => waitMs === 0),
    waitMs: longest(waits),
    counts: { perSecond: held('perSecond').length, perTenSeconds: held('perTenSeconds').length, perMinute: held('perMinute').length },
  }
}

/** How long until so many of the dispatches in a window have left it that one more fits; each leaves at its time plus `untilLeft`. */
function waitFor(limit: number | undefined, held: readonly number[], untilLeft: number): number | null {
  if (limit === 0) return null
  const lastToLeave = limit === undefined ? undefined : held[held.length - limit]
  return lastToLeave === undefined ? 0 : Math.ceil(lastToLeave + untilLeft)
}

/** All windows must have room at once, and none of them fills up again meanwhile. */
function longest(waits: readonly (number | null)[]): number | null {
  return waits.includes(null) ? null : Math.max(...waits.map(Number))
}
