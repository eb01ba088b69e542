const minuteMs = 60_000

/** What the slots of a schedule follow from: they lie at its anchor plus each multiple of its minutes. */
export interface Slots {
  readonly anchorMs: number
  readonly minutes: number
}

/** When a schedule that begins at its anchor runs first: an interval later, or at once where it runs only once. */
export function firstSlot({ anchorMs, minutes }: Slots): number {
  return anchorMs + minutes * minuteMs
}

/** The first slot that lies ahead of a moment, whichever way the clock has been moved; null where the one slot of 0 minutes has passed. */
export function nextSlot(slots: Slots, nowMs: number): number | null {
  const first = firstSlot(slots)
  if (nowMs < first) return first
  if (slots.minutes === 0) return null
  const stepMs = slots.minutes * minuteMs
  return slots.anchorMs + (Math.floor((nowMs - slots.anchorMs) / stepMs) + 1) * stepMs
}

/** What is due of a schedule: its newest slot, how many older ones were missed, and when it is due again. */
export interface DueSlots {
  readonly newestMs: number
  readonly missed: number
  readonly nextMs: number | null
}

/** The slots from the first one that is due up to a moment. */
export function dueSlots(slots: Slots, dueMs: number, nowMs: number): DueSlots {
  const nextMs = nextSlot(slots, nowMs)
  const stepMs = slots.minutes * minuteMs
  if (nextMs === null) return { newestMs: dueMs, missed: 0, nextMs }
  const newestMs = Math.max(dueMs, nextMs - stepMs)
  return { newestMs, missed: Math.floor((newestMs - dueMs) / stepMs), nextMs: Math.max(nextMs, newestMs + stepMs) }
}
