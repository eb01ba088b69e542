import { pause } from '../../src/platform/clock.ts'
import type { Logger } from '../../src/platform/logger.ts'
import { shutdownReason } from '../lib/drain.ts'

/** How long work that is told to end may take to let go. */
const letGoMs = 3_000

const isParked = Symbol('parked')

/** Work that goes on although its job has ended, because all that it does is wait: so it holds no slot of the queue. Its lease keeps others away. */
export class Parking {
  readonly #stop = new AbortController()
  readonly #parked = new Set<Promise<void>>()

  /** Runs the work of a job; `park` says that it only waits now. Until then its failures are those of the job. Answers what came of it, and undefined where it was parked. */
  async underJob<Result>(signal: AbortSignal, log: Logger, work: (signal: AbortSignal, park: () => void) => Promise<Result>): Promise<Result | undefined> {
    let park = (): void => undefined
    const parked = new Promise<typeof isParked>((resolve) => (park = () => resolve(isParked)))
    const running = work(AbortSignal.any([signal, this.#stop.signal]), park)
    const first = await Promise.race([running, parked])
    if (first !== isParked) return first
    // What failed is taken up again when its lease has run out.
    const going = running.then(() => undefined, (err: unknown) => log.debug({ err }, 'work that waited did not end')).finally(() => this.#parked.delete(going))
    this.#parked.add(going)
    return undefined
  }

  /** Tells all work to let go, and waits for it. */
  async close(): Promise<void> {
    this.#stop.abort(shutdownReason)
    await Promise.race([Promise.allSettled(this.#parked), pause(letGoMs)])
  }
}
