import { pause } from '../../src/platform/clock.ts'
import type { Arrivals } from './arrivals.ts'
import type { Outcome } from './outcome.ts'
import type { Tally } from './tally.ts'

/** How a load is sent. */
export interface Sending {
  readonly arrivals: Arrivals
  readonly seconds: number
  /** Requests that may be under way at once. */
  readonly concurrency: number
  readonly send: (number: number) => Promise<Outcome>
  readonly tally: Tally
  /** Ends the sending early; what is under way still comes to its end. */
  readonly stop: AbortSignal
}

/** How late a request may be sent that was due in time and found a free place: a busy machine wakes its sleepers late. */
const latestMs = 1_000

/**
 * Sends each request when it is due and waits for the last answer; gives the milliseconds that it took. What finds no free place
 * until the time is over stays unsent.
 */
export async function sendAll({ arrivals, seconds, concurrency, send, tally, stop }: Sending): Promise<number> {
  const beganMs = performance.now()
  const elapsedMs = (): number => performance.now() - beganMs
  const turn = new Turn(stop)
  const start = async (number: number, dueMs: number): Promise<void> => {
    tally.begin(elapsedMs() - dueMs)
    const outcome = await send(number)
    tally.end(dueMs, elapsedMs() - dueMs, outcome)
    turn.wake()
  }
  const endMs = seconds * 1_000
  const isOver = (): boolean => elapsedMs() >= (tally.underWay < concurrency ? endMs + latestMs : endMs)
  let next = 0
  while (next < arrivals.total && !stop.aborted && !isOver()) {
    const dueMs = arrivals.dueMs(next)
    const waitMs = dueMs - elapsedMs()
    if (waitMs > 0) await pause(waitMs, stop)
    else if (tally.underWay >= concurrency) await turn.wait(endMs - elapsedMs())
    else void start(next++, dueMs)
  }
  // Each request has a time-out of its own, so this ends.
  while (tally.underWay > 0) await turn.wait(1_000)
  return elapsedMs()
}

/** Lets the one sender wait until any request has ended. */
class Turn {
  #waiting: AbortController | null = null

  constructor(stop: AbortSignal) {
    stop.addEventListener('abort', () => this.wake(), { once: true })
  }

  wake(): void {
    this.#waiting?.abort()
  }

  async wait(ms: number): Promise<void> {
    this.#waiting = new AbortController()
    await pause(ms, this.#waiting.signal)
  }
}
