/** How long after the permit the first byte may leave: an older permit is thrown away and asked anew. */
export const freshMs = 100

/**
 * How long a request may be on its way until its target counts it. A target that has answered has counted it, so this is waited for with slow
 * targets only; a shorter time would let the next request overtake on a busy machine.
 */
export const arrivalMs = 250

/** How long a slot outlives its window when nobody has said that its request was sent, as after the death of a process. */
export const unsentMs = 2_000

/** Kept beyond every window, because a clock that counts whole milliseconds may be off by one at either end. */
export const marginMs = 2

/** How long limited domains are left alone after Redis has lost its state: the longest window, and what was on its way at that time. */
export const holdOffMs = 60_500

/** The longest time after which a holder is told to ask again. */
export const longestWaitMs = 65_000

/** How long a holder may be late before others are let past it; it keeps its place. */
export const lateMs = 250

/** How long a domain that nobody asks for is shown as active. */
export const activeMs = 120_000

/** The longest cool-down that a target can ask for. */
export const longestCoolDownMs = 86_400_000
