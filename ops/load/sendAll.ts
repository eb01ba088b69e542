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

/**
 * Sends each request when it is due and waits for the last answer; gives the milliseconds that it took. Nothing is sent after the
 * time is over: what could not be sent until then stays unsent.
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
  let next = 0
  while (next < arrivals.total && !stop.aborted && elapsedMs() < seconds * 1_000) {
    const dueMs = arrivals.dueMs(next)
    const waitMs = dueMs - elapsedMs()
    if (waitMs > 0) await pause(waitMs, stop)
    else if (tally.underWay >= concurrency) await turn.wait(seconds * 1_000 - elapsedMs())
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
