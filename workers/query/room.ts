/** How long work waits for room at least before it is refused, and how far refusals are apart: each costs a trip to the queue. */
const patienceMs = 100
const refusalEveryMs = 25

/** Room for the rows that a process takes on: enough to keep its requests going, and no more, so that other processes get their share. */
export class Room {
  readonly #most: number
  readonly #line: (() => void)[] = []
  #held = 0
  #nextRefusal = 0

  /** Rows from which on nothing more is taken on. */
  constructor(most: number) {
    this.#most = most
  }

  /** Holds so many rows as soon as there is room, and answers how to let them go; null where there was none for a while. */
  async enter(rows: number): Promise<(() => void) | null> {
    if (this.#held >= this.#most && !(await this.#waitForRoom())) return null
    this.#held += rows
    return () => {
      this.#held -= rows
      this.#line.shift()?.()
    }
  }

  async #waitForRoom(): Promise<boolean> {
    const until = Math.max(performance.now() + patienceMs, this.#nextRefusal)
    this.#nextRefusal = until + refusalEveryMs
    for (let leftMs = until - performance.now(); this.#held >= this.#most && leftMs > 0; leftMs = until - performance.now()) await this.#change(leftMs)
    return this.#held < this.#most
  }

  #change(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const go = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#line.splice(this.#line.indexOf(go), 1)
        resolve()
      }, ms)
      this.#line.push(go)
    })
  }
}
