import type { Page } from 'puppeteer'

/** Whether a page has lost its main frame, which its crash does at times without a word. */
export function isGone(page: Page): boolean {
  try {
    return page.isClosed() || page.mainFrame().detached
  } catch {
    return true
  }
}
