import { pause } from '../../src/platform/clock.ts'
import { isUnavailable } from '../../src/platform/prisma/failures.ts'

const againMs = 250

/**
 * Writes what was fetched, again and again while the database is away: so nothing is fetched twice because of it. A write that was
 * committed without an answer finds the work done, and changes nothing. The signal says when another process may have the work.
 */
export async function untilWritten<Result>(signal: AbortSignal, write: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (signal.aborted || !isUnavailable(error)) throw error
      await pause(againMs, signal)
    }
  }
}
