import { benchBeside, callAll } from './browserJobs.ts'
import type { Bench } from './measure.ts'

/** Screenshots of whole pages, each in a fresh context, from the request to its answer. */
export const benchScreenshot: Bench = () =>
  benchBeside({
    what: 'screenshots (whole page, fresh context)',
    way: 'screenshot',
    beside: 'bare Puppeteer',
    pages: 40,
    least: 0.9,
    run: (call, url, pages) => callAll(pages, (index) => call('krull.page.screenshot', { body: { url: `${url}/${index}`, device: 'Desktop' } })),
  })
