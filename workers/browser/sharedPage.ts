import { pause } from '../../src/platform/clock.ts'
import { Problem } from '../../src/platform/errors.ts'
import { JobClock } from './jobClock.ts'
import type { Need, Pool } from './pool.ts'
import { race } from './race.ts'
import type { Visit } from './visit.ts'

/** Every run in the page has a bound of its own, and the page ends with the job that holds it. */
const longestMs = 86_400_000
/** How long the news of a crash may come after the calls that failed by it. */
const newsMs = 300

interface Stay {
  readonly visit: Visit
  readonly leave: () => void
}

/**
 * One page for runs that come one after another and share every option, as their user asked for one session: a run does not pay for a
 * context of its own. A run that fails takes the page with it, so that the next one begins in a fresh context.
 */
export class SharedPage implements Pick<Pool, 'use'> {
  readonly #pool: Pick<Pool, 'use'>
  #stay: Promise<Stay> | undefined

  constructor(pool: Pick<Pool, 'use'>) {
    this.#pool = pool
  }

  async use<T>(need: Need, work: (visit: Visit) => Promise<T>): Promise<T> {
    const clock = new JobClock(need.deadlineMs, need.signal)
    try {
      const { visit } = await race(clock.signal, (this.#stay ??= this.#enter(need)))
      clock.watch(visit.signal, () => visit.signal.reason as Error) // pools abort with errors only
      return await race(clock.signal, work({ ...visit, signal: clock.signal })).catch(async (error: unknown) => Promise.reject(await reasonOf(error, visit)))
    } catch (error) {
      await need.failed?.(error).catch(() => undefined) // the failure itself is what counts
      this.leave()
      throw error
    } finally {
      clock.stop()
    }
  }

  /** Closes the page, if one is open. */
  leave(): void {
    this.#stay?.then(({ leave }) => leave(), () => undefined)
    this.#stay = undefined
  }

  #enter({ proxy, offline, full }: Need): Promise<Stay> {
    const need = { proxy, offline, full, deadlineMs: longestMs, signal: new AbortController().signal }
    return new Promise((resolve, reject) => {
      this.#pool.use(need, (visit) => new Promise<void>((leave) => resolve({ visit, leave }))).catch(reject)
    })
  }
}

/** Calls fail in many ways when their page is gone, and the one reason of it says more. */
async function reasonOf(error: unknown, { signal }: Visit): Promise<unknown> {
  if (error instanceof Problem) return error
  await pause(newsMs, signal)
  return signal.aborted ? signal.reason : error
}
