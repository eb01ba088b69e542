import { availableParallelism } from 'node:os'
import { Problem } from '../../platform/errors.ts'

/** Node has four threads for hashes, files and names: one of them stays free for the others. */
const defaultRunning = Math.min(availableParallelism(), 3)
const defaultWaiting = 200

/** Puts password work in line, so that a flood of sign-ins takes neither all memory nor all threads. */
export class HashingLine {
  readonly #maxRunning: number
  readonly #maxWaiting: number
  readonly #waiting: Array<() => void> = []
  #running = 0

  constructor(maxRunning: number = defaultRunning, maxWaiting: number = defaultWaiting) {
    this.#maxRunning = maxRunning
    this.#maxWaiting = maxWaiting
  }

  /** Does the work when its turn comes; a full line is a 503 at once. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#enter()
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < this.#maxRunning) {
      this.#running += 1
      return
    }
    if (this.#waiting.length >= this.#maxWaiting) {
      throw new Problem('overloaded', 'Too many passwords are waiting to be checked; try again shortly.', { retryAfterS: 2 })
    }
    await new Promise<void>((next) => this.#waiting.push(next))
  }

  /** The place goes straight to the next in line, so that nobody can slip in between. */
  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#running -= 1
  }
}
