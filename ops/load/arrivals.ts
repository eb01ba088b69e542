/** When requests arrive: decided beforehand, whatever the server does meanwhile. */
export interface Arrivals {
  readonly total: number
  /** When the request with this number arrives, in milliseconds from the beginning. */
  dueMs(number: number): number
}

/** Even arrivals at a rate, which first grows from nothing in a straight line. */
export function planArrivals({ rate, seconds, rampS }: { rate: number; seconds: number; rampS: number }): Arrivals {
  const inRamp = (rate * rampS) / 2
  return {
    total: Math.max(1, Math.floor(inRamp + rate * (seconds - rampS))),
    dueMs: (number) => (number < inRamp ? Math.sqrt((2 * number * rampS) / rate) : rampS + (number - inRamp) / rate) * 1_000,
  }
}
