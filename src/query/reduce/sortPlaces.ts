import type { Pace } from '../pace.ts'
import type { ComparePlaces } from './sortKeys.ts'

/** Rows that are sorted, or merged, between two looks at the clock. */
const sliceRows = 8_192

/** The places of a list in sorted order; equal ones keep their order. Gives way in between. */
export async function sortPlaces(count: number, compare: ComparePlaces, pace: Pace): Promise<Uint32Array> {
  let from = Uint32Array.from({ length: count }, (_, place) => place)
  for (let at = 0; at < count; at += sliceRows) {
    from.subarray(at, at + sliceRows).sort(compare)
    await pace.giveWay()
  }
  let to = new Uint32Array(count)
  for (let width = sliceRows; width < count; width *= 2) {
    for (let at = 0; at < count; at += 2 * width) {
      await mergeHalves(from, to, new Halves(at, Math.min(at + width, count), Math.min(at + 2 * width, count)), compare, pace)
    }
    const sorted = to
    to = from
    from = sorted
  }
  return from
}

/** Two sorted neighbours, and how far they have been merged. */
class Halves {
  left: number
  right: number
  to: number
  readonly middle: number
  readonly end: number

  constructor(start: number, middle: number, end: number) {
    this.left = start
    this.right = middle
    this.to = start
    this.middle = middle
    this.end = end
  }
}

async function mergeHalves(from: Uint32Array, to: Uint32Array, halves: Halves, compare: ComparePlaces, pace: Pace): Promise<void> {
  const { to: start, middle, end } = halves
  if (middle === end || compare(from[middle - 1] ?? 0, from[middle] ?? 0) <= 0) {
    to.set(from.subarray(start, end), start)
    return
  }
  while (halves.to < end) {
    mergeSome(from, to, halves, compare)
    await pace.giveWay()
  }
}

function mergeSome(from: Uint32Array, to: Uint32Array, halves: Halves, compare: ComparePlaces): void {
  let { left, right, to: at } = halves
  const { middle, end } = halves
  for (const stop = Math.min(end, at + sliceRows); at < stop; at += 1) {
    const isLeft = right === end || (left < middle && compare(from[left] ?? 0, from[right] ?? 0) <= 0)
    to[at] = from[isLeft ? left++ : right++] ?? 0
  }
  halves.left = left
  halves.right = right
  halves.to = at
}
