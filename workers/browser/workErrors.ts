import { pause } from '../../src/platform/clock.ts'
import { Problem } from '../../src/platform/errors.ts'

/** What Puppeteer says of a page that is no more. */
const goneWords = /Target closed|Session closed|Connection closed|Target\.detachedFromTarget|detached Frame|frame was detached|Page crashed|net::ERR_ABORTED/i

/** How long the news of a crash may come after the calls that failed by it. */
const newsMs = 300

/** The error of a job: calls fail in many ways when their page is gone, and the one reason of it says more. */
export async function toJobError(error: unknown, broken: AbortSignal): Promise<unknown> {
  if (error instanceof Problem || !(error instanceof Error) || !goneWords.test(error.message)) return error
  await pause(newsMs, broken)
  return broken.aborted ? broken.reason : error
}
