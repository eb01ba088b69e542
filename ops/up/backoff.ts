const firstMs = 300
const longestMs = 15_000
const healthyAfterMs = 5_000

/** How long to wait before a process that ended is started again: longer each time, short again after it was healthy for a while. */
export class Backoff {
  #nextMs = firstMs

  /** The wait after a life of this length. */
  next(livedMs: number): number {
    if (livedMs >= healthyAfterMs) this.#nextMs = firstMs
    const waitMs = this.#nextMs
    this.#nextMs = Math.min(waitMs * 2, longestMs)
    return waitMs
  }
}
