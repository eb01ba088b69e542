import { defineOperations } from '../define.ts'
import { pages } from './pages.ts'

const origin = 'repeat'

/** The six browser operations that the general list repeats: the same rows at another address. */
export const repeats = defineOperations({
  'browser.expression.evaluate': { ...pages['krull.expression.evaluate'], path: '/v1/browser/evaluate', origin },
  'browser.page.requests': { ...pages['krull.page.requests'], path: '/v1/browser/requests', origin },
  'browser.page.evaluate': { ...pages['krull.page.evaluate'], path: '/v1/browser/page/evaluate', origin },
  'browser.page.selector': { ...pages['krull.page.selector'], path: '/v1/browser/page/selector', origin },
  'browser.page.screenshot': { ...pages['krull.page.screenshot'], path: '/v1/browser/page/screenshot', origin },
  'browser.page.form': { ...pages['krull.page.form'], path: '/v1/browser/page/form', origin },
})
