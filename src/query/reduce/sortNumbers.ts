import type { Pace } from '../pace.ts'

/** Numbers that are sorted, or merged, between two looks at the clock. */
const sliceSize = 65_536

/** Numbers in ascending order; gives way in between. */
export async function sortNumbers(numbers: readonly number[], pace: Pace): Promise<Float64Array> {
  const count = numbers.length
  let from = Float64Array.from(numbers)
  for (let at = 0; at < count; at += sliceSize) {
    from.subarray(at, at + sliceSize).sort()
    await pace.giveWay()
  }
  let to = new Float64Array(count)
  for (let width = sliceSize; width < count; width *= 2) {
    for (let at = 0; at < count; at += 2 * width) await mergeHalves(from, to, [at, Math.min(at + width, count), Math.min(at + 2 * width, count)], pace)
    const sorted = to
    to = from
    from = sorted
  }
  return from
}

async function mergeHalves(from: Float64Array, to: Float64Array, [start, middle, end]: readonly [number, number, number], pace: Pace): Promise<void> {
  let [left, right] = [start, middle]
  for (let at = start; at < end; at = left + right - middle) {
    left = mergeSome(from, to, at, [left, middle, right, end])
    right = Math.min(at + sliceSize, end) - left + middle
    await pace.giveWay()
  }
}

/** Merges a slice; answers how far the left half has been taken. */
function mergeSome(from: Float64Array, to: Float64Array, start: number, [first, middle, second, end]: readonly [number, number, number, number]): number {
  let [left, right] = [first, second]
  for (let at = start; at < Math.min(start + sliceSize, end); at += 1) {
    const isLeft = right === end || (left < middle && (from[left] ?? 0) <= (from[right] ?? 0))
    to[at] = from[isLeft ? left++ : right++] ?? 0
  }
  return left
}
