import { upTo } from '../bounds.ts'
import { pageFlags } from '../browserFlags.ts'
import { Crawl } from '../browser/crawl.ts'
import { fetchPage, openPage, type Asking } from '../browser/fetchedPage.ts'
import { pageOptions } from '../browser/pageOptions.ts'
import { Robots } from '../browser/robots.ts'
import { defineCommand } from '../command.ts'
import { address } from '../fetch/address.ts'
import { readHeaders } from '../fetch/headers.ts'
import { boolean, integer, otherwise, repeatable, text } from '../params.ts'

export const crawl = defineCommand({
  name: 'crawl',
  kind: 'expand',
  summary: 'Follows links breadth first: a row a page',
  args: { url: address('Where to begin') },
  flags: {
    ...pageFlags,
    depth: otherwise(integer('Links away from the beginning at most', 0, 100), 1),
    limit: otherwise(integer('Pages at most', 1, 1_000_000), 100),
    include: repeatable(text('Glob of addresses to follow')),
    exclude: repeatable(text('Glob of addresses not to follow')),
    sameHost: otherwise(boolean('Stay on the host'), true),
    browser: otherwise(boolean('Open pages in a browser; otherwise plain HTTP first'), false),
    robots: otherwise(boolean('Obey robots.txt'), true),
  },
  examples: ['crawl https://shop.example', 'crawl https://shop.example --depth 3 --limit 500 --exclude "**/cart/**"'],
  queue: 'browser',
  runMs: 3_600_000,
  rows: ({ most }, { flags }) => upTo(most === null ? null : most * flags.limit),

  async *each(row, { args, flags, context }) {
    const { lookup, outside, signal } = context
    const [start, options] = [args.url(row, lookup), pageOptions(flags, row, lookup)]
    const [headers, proxy] = [Object.fromEntries(readHeaders(flags.headers?.(row, lookup))), flags.proxy?.(row, lookup)]
    const ask: Asking = (url, accept) => {
      // Headers may hold a key, which is meant for the site that the query names.
      const own = URL.canParse(start) && new URL(url).origin === new URL(start).origin ? headers : {}
      return outside.send({ method: 'GET', url, headers: { accept, ...own }, ...(proxy ? { proxy } : {}) }, signal)
    }
    const fetch = flags.browser ? (url: string) => openPage(url, options, context) : (url: string) => fetchPage(url, ask)
    yield* new Crawl(flags, context, new Robots(context, ask), fetch).rows(start)
  },
})
