import type { OperationId } from '../../contract/index.ts'
import type { BrowserTask } from '../../query/browser/tasks.ts'

/** The operations that a browser carries out, each with its task. */
export const browserTaskOf = {
  'krull.expression.evaluate': 'evaluate',
  'krull.page.requests': 'requests',
  'krull.page.evaluate': 'page.evaluate',
  'krull.page.selector': 'page.selector',
  'krull.page.session': 'page.session',
  'krull.page.screenshot': 'page.screenshot',
  'krull.page.form': 'page.form',
  'krull.screenshot.stream': 'page.screenshot',
  'browser.expression.evaluate': 'evaluate',
  'browser.page.requests': 'requests',
  'browser.page.evaluate': 'page.evaluate',
  'browser.page.selector': 'page.selector',
  'browser.page.screenshot': 'page.screenshot',
  'browser.page.form': 'page.form',
} as const satisfies Partial<Record<OperationId, BrowserTask>>

export type BrowserOperation = keyof typeof browserTaskOf
