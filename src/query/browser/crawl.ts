import { Problem } from '../../platform/errors.ts'
import type { EachContext } from '../command.ts'
import { rowOf } from '../dataRows.ts'
import type { Batch, Row } from '../rows.ts'
import type { FetchedPage } from './fetchedPage.ts'
import { globMatcher } from './globs.ts'
import type { Robots } from './robots.ts'

/** How far a crawl goes. */
export interface CrawlBounds {
  readonly depth: number
  readonly limit: number
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly sameHost: boolean
  readonly robots: boolean
}

interface Step {
  readonly url: string
  readonly depth: number
  readonly parent: string | null
}

/** Links that wait to be followed; a site can name more than anyone wants to hold. */
const mostWaiting = 100_000

/** Follows links breadth first, one page after another. */
export class Crawl {
  readonly #bounds: CrawlBounds
  readonly #context: EachContext
  readonly #fetch: (url: string) => Promise<FetchedPage>
  readonly #robots: Robots
  readonly #isIncluded: (url: string) => boolean
  readonly #isExcluded: (url: string) => boolean
  readonly #seen = new Set<string>()
  #host = ''

  constructor(bounds: CrawlBounds, context: EachContext, robots: Robots, fetch: (url: string) => Promise<FetchedPage>) {
    this.#bounds = bounds
    this.#context = context
    this.#fetch = fetch
    this.#robots = robots
    this.#isIncluded = bounds.include.length === 0 ? () => true : globMatcher(bounds.include)
    this.#isExcluded = globMatcher(bounds.exclude)
  }

  /** A batch a page. */
  async *rows(start: string): AsyncGenerator<Batch> {
    const first = addressOf(start)
    this.#host = new URL(first).hostname
    this.#seen.add(first)
    const line: Step[] = [{ url: first, depth: 0, parent: null }]
    let count = 0
    for (let step = line.shift(); step && count < this.#bounds.limit; step = line.shift()) {
      const page = await this.#visit(step)
      if (!page) continue
      count += 1
      yield [rowFor(page, step)]
      if (step.depth < this.#bounds.depth) line.push(...this.#further(page, step).slice(0, mostWaiting - line.length))
    }
  }

  /** The page, or nothing where the site asks robots to stay away or another step has come to the same page. */
  async #visit({ url, depth }: Step): Promise<FetchedPage | null> {
    const { warn, signal, outside } = this.#context
    if (this.#bounds.robots && !(await this.#robots.allows(url))) {
      if (depth === 0) warn(`the robots.txt of ${new URL(url).host} asks to leave this page alone; --robots false does not obey it`)
      return null
    }
    const delayMs = this.#bounds.robots && depth > 0 ? await this.#robots.delayMs(url) : 0
    if (delayMs > 0) await outside.rest(delayMs, signal)
    try {
      const page = await this.#fetch(url)
      if (page.url !== url && this.#seen.has(page.url)) return null
      this.#seen.add(page.url)
      if (depth === 0) this.#host = new URL(page.url).hostname
      return page
    } catch (error) {
      // A site without its first page has nothing to crawl; any other page is only one of many.
      if (depth === 0 || !(error instanceof Problem)) throw error
      warn(`${url}: ${error.message}`)
      return { url, status: null, title: null, text: null, html: null, links: [] }
    }
  }

  #further({ url, links }: FetchedPage, { depth }: Step): Step[] {
    const next = [...new Set(links)].filter((link) => !this.#seen.has(link) && this.#follows(link))
    for (const link of next) this.#seen.add(link)
    return next.map((link) => ({ url: link, depth: depth + 1, parent: url }))
  }

  #follows(link: string): boolean {
    return (!this.#bounds.sameHost || new URL(link).hostname === this.#host) && this.#isIncluded(link) && !this.#isExcluded(link)
  }
}

function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol)) throw new Problem('unprocessable', 'A crawl begins at an address that begins with http:// or https:// and names a host.')
  url.hash = ''
  return url.href
}

const rowFor = ({ url, title, status, text, html, links }: FetchedPage, { depth, parent }: Step): Row => rowOf({ url, title, status, depth, parent, text, html, links })
