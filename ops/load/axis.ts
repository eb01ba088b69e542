/** Places values on a stretch of pixels. */
export interface Axis {
  place(value: number): number
  readonly ticks: readonly number[]
}

/** A straight scale from 0 with at most six round ticks. */
export function straightAxis(most: number, fromPx: number, toPx: number): Axis {
  const step = roundStep(most / 5)
  const top = Math.max(step, Math.ceil(most / step) * step)
  const ticks = Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step)
  return { ticks, place: (value) => fromPx + (Math.min(value, top) / top) * (toPx - fromPx) }
}

/** A logarithmic scale over whole powers of ten. */
export function logAxis(least: number, most: number, fromPx: number, toPx: number): Axis {
  const [first, last] = [Math.floor(Math.log10(least)), Math.max(Math.floor(Math.log10(least)) + 1, Math.ceil(Math.log10(most)))]
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index))
  const share = (value: number): number => (Math.log10(Math.max(value, 10 ** first)) - first) / (last - first)
  return { ticks, place: (value) => fromPx + share(value) * (toPx - fromPx) }
}

/** The smallest of 1, 2, 5, 10, 20 … that is not below a value. */
function roundStep(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)))
  return ([1, 2, 5].find((digit) => digit * power >= value) ?? 10) * power
}
