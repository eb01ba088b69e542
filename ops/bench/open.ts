import { benchBeside } from './browserJobs.ts'
import type { Bench } from './measure.ts'

/** `open` over 100 rows of one site, from the dispatch to the end. */
export const benchOpen: Bench = () =>
  benchBeside({
    what: 'open over 100 rows of one site',
    way: 'open',
    beside: 'Puppeteer reusing one page a lane',
    pages: 100,
    least: 0.8,
    async run(call, url, pages) {
      const { status, error } = await call('sirp.query.dispatchWait', { body: { query: `range ${pages} || open ${url}/$n$ --selector a.item --html --dimension false` } })
      if (status !== 'completed') throw new Error(`the query is ${status}: ${error?.detail}`)
    },
  })
