import type { ConsoleMessage, Page } from 'puppeteer'
import type { ConsoleLine } from '../../../src/contract/krull/flight.ts'
import { flightBounds } from './bounds.ts'
import { cut } from './cut.ts'
import { Ring } from './ring.ts'

/** The last lines of a page's console, and what it threw. */
export class ConsoleLog {
  readonly #lines = new Ring<ConsoleLine>(flightBounds.lines)
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
    page.on('console', this.#onLine)
    page.on('pageerror', this.#onError)
  }

  get lines(): ConsoleLine[] {
    return this.#lines.list()
  }

  /** Listens to the page no more. */
  end(): void {
    this.#page.off('console', this.#onLine)
    this.#page.off('pageerror', this.#onError)
  }

  readonly #onLine = (message: ConsoleMessage): void => {
    const { url, lineNumber } = message.location()
    const place = { ...(url ? { url: cut(url, flightBounds.seenBytes) } : {}), ...(lineNumber === undefined ? {} : { line: lineNumber + 1 }) }
    this.#add(message.type(), message.text(), place)
    // Once somebody listens, Puppeteer leaves it to them to let go of what was logged.
    for (const handle of message.args()) handle.dispose().catch(() => undefined)
  }

  readonly #onError = (error: unknown): void => this.#add('error', error instanceof Error ? (error.stack ?? error.message) : String(error))

  #add(level: string, text: string, place: Pick<ConsoleLine, 'url' | 'line'> = {}): void {
    this.#lines.add({ at: new Date().toISOString(), level, text: cut(text, flightBounds.seenBytes), ...place })
  }
}
