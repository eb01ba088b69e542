/** Buckets in each doubling: a value is off by less than 1.6 %. */
const perDoubling = 64
const doublingBits = Math.log2(perDoubling)
const mostUs = 2 ** 31 - 1
const bucketCount = bucketOf(mostUs) + 1

/** A part of the scale, and how many values fell into it. */
export interface Band {
  readonly fromMs: number
  readonly toMs: number
  readonly count: number
}

/** Times counted in logarithmic buckets: the same relative exactness from a microsecond to half an hour, in little memory. */
export class Histogram {
  readonly #counts = new Uint32Array(bucketCount)
  #count = 0
  #sumMs = 0
  #maxMs = 0

  get count(): number {
    return this.#count
  }

  get maxMs(): number {
    return this.#maxMs
  }

  get meanMs(): number {
    return this.#count === 0 ? 0 : this.#sumMs / this.#count
  }

  /** Counts one time. */
  add(ms: number): void {
    const bucket = bucketOf(Math.min(mostUs, Math.max(0, Math.round(ms * 1_000))))
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.#count += 1
    this.#sumMs += ms
    this.#maxMs = Math.max(this.#maxMs, ms)
  }

  /** The time that this share of all values, from 0 to 1, does not exceed; 0 where there are none. */
  quantile(share: number): number {
    const wanted = Math.max(1, Math.ceil(share * this.#count))
    let seen = 0
    for (const [bucket, count] of this.#counts.entries()) {
      seen += count
      if (seen >= wanted) return Math.min(this.#maxMs, startOf(bucket + 1) / 1_000)
    }
    return 0
  }

  /** The filled part of the scale in steps of 1, 2, 5, 10, 20, 50 … milliseconds. */
  bands(): Band[] {
    const bands: Band[] = []
    for (let [fromMs, toMs] = [0, 0.1]; fromMs <= this.#maxMs; [fromMs, toMs] = [toMs, nextStep(toMs)]) {
      bands.push({ fromMs, toMs, count: this.#countUpTo(toMs) - this.#countUpTo(fromMs) })
    }
    const first = bands.findIndex(({ count }) => count > 0)
    const last = bands.findLastIndex(({ count }) => count > 0)
    return first === -1 ? [] : bands.slice(first, last + 1)
  }

  #countUpTo(ms: number): number {
    const end = bucketOf(Math.min(mostUs, Math.round(ms * 1_000)))
    return this.#counts.subarray(0, end).reduce((sum, count) => sum + count, 0)
  }
}

/** Small values have a bucket each; from there on each doubling has the same number of them. */
function bucketOf(us: number): number {
  if (us < perDoubling) return us
  const shift = 31 - Math.clz32(us) - doublingBits
  return (shift + 1) * perDoubling + (us >>> shift) - perDoubling
}

function startOf(bucket: number): number {
  if (bucket < perDoubling) return bucket
  const shift = Math.floor(bucket / perDoubling) - 1
  return (perDoubling + (bucket % perDoubling)) * 2 ** shift
}

/** 1, 2, 5, 10, 20, 50 and so on; by its digits, because sums of tenths drift. */
function nextStep(ms: number): number {
  const [digit, exponent] = ms.toExponential().split('e')
  const next = digit === '1' ? '2' : digit === '2' ? '5' : '10'
  return Number(`${next}e${exponent}`)
}
