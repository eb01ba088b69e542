/** Bounds the time that one run of a command works; time in which it only rests does not count. */
export class RowClock {
  #timer: NodeJS.Timeout | undefined
  #leftMs = 0
  #since = 0
  #end: () => void = () => undefined

  /** Begins to count; `end` is called when so much time was spent. */
  begin(ms: number, end: () => void): void {
    this.stop()
    this.#leftMs = ms
    this.#end = end
    this.#go()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** Waits for something without counting the time. */
  async rest(wait: () => Promise<void>): Promise<void> {
    const counted = this.#timer !== undefined
    this.stop()
    if (counted) this.#leftMs -= performance.now() - this.#since
    try {
      await wait()
    } finally {
      if (counted) this.#go()
    }
  }

  #go(): void {
    this.#since = performance.now()
    this.#timer = setTimeout(this.#end, Math.max(1, this.#leftMs))
  }
}
