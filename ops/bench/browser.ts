import { benchBeside, callAll } from './browserJobs.ts'
import type { Bench } from './measure.ts'

/** Selector jobs, each in a fresh context, from the request to its answer. */
export const benchBrowser: Bench = () =>
  benchBeside({
    what: 'browser jobs (selector, fresh context)',
    way: 'selector',
    beside: 'bare Puppeteer',
    pages: 60,
    least: 0.9,
    run: (call, url, pages) => callAll(pages, (index) => call('krull.page.selector', { body: { url: `${url}/${index}`, selector: 'a.item', dimension: false } })),
  })
