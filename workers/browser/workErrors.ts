import type { Page } from 'puppeteer'
import { pause } from '../../src/platform/clock.ts'
import { Problem } from '../../src/platform/errors.ts'
import type { Room } from './visit.ts'

/** What Puppeteer says, among other cases, of a page that is no more. */
const goneWords = /Target closed|Session closed|Connection closed|detached|Page crashed|main frame too early|net::ERR_ABORTED/i

/** How long the news of a crash may come after the calls that failed by it. */
const newsMs = 300

/** The error of a job: calls fail in many ways when their page is gone, and the one reason of it says more. */
export async function toJobError(error: unknown, { broken: { signal }, page }: Room): Promise<unknown> {
  if (error instanceof Problem || !(error instanceof Error) || !goneWords.test(error.message)) return error
  await pause(newsMs, signal)
  if (signal.aborted) return signal.reason
  return isGone(page) ? new Problem('target_failed', 'The page was gone before the job ended. Try it again.', { cause: error }) : error
}

/** Whether a page has lost its main frame, which its crash does at times without a word. */
export function isGone(page: Page): boolean {
  try {
    return page.isClosed() || page.mainFrame().detached
  } catch {
    return true
  }
}
