import robotsParser from 'robots-parser'
import { Problem } from '../../platform/errors.ts'
import type { EachContext } from '../command.ts'
import { textOf } from '../fetch/text.ts'
import type { Asking } from './fetchedPage.ts'

/** What a site asks of robots. */
interface Rules {
  isAllowed(url: string, agent: string): boolean | undefined
  getCrawlDelay(agent: string): number | undefined
}

/** The name under which a crawl reads the rules. */
const agent = 'quern'
/** No site can hold a crawl up for longer than this between two pages. */
const longestDelayS = 30

const everything: Rules = { isAllowed: () => true, getCrawlDelay: () => undefined }
const nothing: Rules = { isAllowed: () => false, getCrawlDelay: () => undefined }

/** The robots.txt of every site that a crawl comes to; each is read once. */
export class Robots {
  readonly #warn: (message: string) => void
  readonly #ask: Asking
  readonly #known = new Map<string, Promise<Rules>>()

  constructor({ warn }: Pick<EachContext, 'warn'>, ask: Asking) {
    this.#warn = warn
    this.#ask = ask
  }

  /** Whether a page may be asked for. */
  async allows(url: string): Promise<boolean> {
    return (await this.#rulesOf(url)).isAllowed(url, agent) ?? true
  }

  /** Milliseconds that the site asks to leave between two pages. */
  async delayMs(url: string): Promise<number> {
    return Math.min(longestDelayS, (await this.#rulesOf(url)).getCrawlDelay(agent) ?? 0) * 1000
  }

  #rulesOf(url: string): Promise<Rules> {
    const { origin } = new URL(url)
    const known = this.#known.get(origin) ?? this.#read(`${origin}/robots.txt`)
    this.#known.set(origin, known)
    return known
  }

  /** A site without the file allows everything; one that cannot say what it allows is left alone. */
  async #read(url: string): Promise<Rules> {
    try {
      const incoming = await this.#ask(url, 'text/plain')
      if (incoming.status < 300) return parse(url, await textOf(incoming))
      incoming.discard()
      if (incoming.status < 500) return everything
      this.#warn(`${url} answers ${incoming.status}, so the site is left alone; --robots false does not ask`)
      return nothing
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      this.#warn(`${url} cannot be read, so the site is left alone; --robots false does not ask`)
      return nothing
    }
  }
}

// The package is CommonJS with a default export that its types put one level too high.
const parse = robotsParser as unknown as (url: string, text: string) => Rules
